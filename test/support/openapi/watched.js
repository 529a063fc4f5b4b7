// Lets the messages of a test be seen where they are made. The modules are loaded as they are, and only when a test does.
/* global jest */
const { testMessages } = globalThis;
jest.mock('../../../lib/platform/http/endpoint', () => {
  const module = jest.requireActual('../../../lib/platform/http/endpoint');
  require('./messages').markEndpoint(module);
  return module;
});
for (const path of [
  '../../../lib/operator/wallet/round-event',
  '../../../lib/operator/wallet/events',
]) {
  jest.mock(path, () =>
    require('./messages').seeingEvents(jest.requireActual(path), (event) =>
      testMessages.event(event),
    ),
  );
}

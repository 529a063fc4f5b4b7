// For a process that a test starts: holds its messages against the documents, as the environment of the tests does.
const Module = require('node:module');

const { Messages, markEndpoint } = require('./messages');

const messages = new Messages(process.env.TEST_MESSAGES);
if (messages.folder !== '') messages.watch();

const marked = new WeakSet();
const { _load: load } = Module;
// oxlint-disable-next-line no-underscore-dangle
Module._load = (request, ...rest) => {
  const loaded = load(request, ...rest);
  if (/\/endpoint(?:\.js)?$/.test(request) && loaded.Endpoint && !marked.has(loaded.Endpoint)) {
    marked.add(loaded.Endpoint);
    markEndpoint(loaded);
  }
  return loaded;
};

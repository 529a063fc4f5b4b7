const { TestEnvironment } = require('jest-environment-node');

const { Messages } = require('./messages');

const messages = new Messages(process.env.TEST_MESSAGES);
messages.watch();

/** Node's environment, in which every message is held against the documents. */
module.exports = class extends TestEnvironment {
  constructor(...settings) {
    super(...settings);
    // Before `setup`: the files that are loaded first need it.
    this.global.testMessages = messages;
  }

  async teardown() {
    messages.flush();
    await super.teardown();
  }
};

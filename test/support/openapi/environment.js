const { TestEnvironment } = require('jest-environment-node');

const { Messages } = require('./messages');

const folder = process.env.TEST_MESSAGES;
const messages = folder === undefined ? null : new Messages(folder);
messages?.watch();

/** Node's environment, in which every message is held against the documents. */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.testMessages = messages;
  }

  async teardown() {
    messages?.flush();
    await super.teardown();
  }
};

const hooks = require('node:async_hooks');

// Jest keeps the running test in an AsyncLocalStorage, for tests that run at once. Node then follows every promise:
// a tenth of the processor time of the suite. Ours run one after another, so a variable does.
const kept = Object.getOwnPropertyDescriptor(hooks, 'AsyncLocalStorage');

class RunningTest {
  #held;

  /** Jest makes the first storage after this file: what comes later gets the real class. */
  constructor() {
    Object.defineProperty(hooks, 'AsyncLocalStorage', kept);
  }

  getStore() {
    return this.#held;
  }

  /** Holds the value until the work has settled. */
  async run(value, work) {
    const outer = this.#held;
    this.#held = value;
    try {
      return await work();
    } finally {
      this.#held = outer;
    }
  }
}

// A getter since Node 22.
Object.defineProperty(hooks, 'AsyncLocalStorage', {
  configurable: true,
  enumerable: true,
  value: RunningTest,
});

// Jest has every error note 100 frames of its stack, and `expect` makes one for each call. Node's own number is enough.
Error.stackTraceLimit = 10;

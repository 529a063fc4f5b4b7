const { existsSync, readFileSync, rmSync } = require('node:fs');
const files = require('node:path');

/** Most faults that are printed. */
const most = 20;

/** Prints how many messages were held against the documents, and fails the run if one did not fit. */
module.exports = class {
  #faults = [];

  onRunComplete() {
    const folder = process.messagesOfRun;
    if (folder === undefined) return;
    const lines = (name) =>
      existsSync(files.join(folder, name))
        ? readFileSync(files.join(folder, name), 'utf8').trimEnd().split('\n')
        : [];
    const count = lines('counts').reduce((sum, line) => sum + Number(line), 0);
    this.#faults = lines('faults');
    rmSync(folder, { recursive: true });
    const shown = this.#faults.slice(0, most).map((fault) => `  ${fault}\n`);
    process.stdout.write(
      `OpenAPI: ${count} messages and events validated, ${this.#faults.length} that do not fit\n${shown.join('')}`,
    );
  }

  getLastError() {
    if (this.#faults.length > 0) return new Error('Messages do not fit the documents of openapi/.');
  }
};

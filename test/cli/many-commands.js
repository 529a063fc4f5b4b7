// Runs commands of the program one after another, as messages ask for them, each with arguments, variables and output of its own.
const fs = require('node:fs');

const { runProgram } = require(process.argv[2]);

const [node, , main] = process.argv;
const events = ['exit', 'uncaughtException', 'SIGHUP', 'SIGINT', 'SIGTERM'];

/** What the command wrote, by file descriptor. */
let written = ['', '', ''];

/** Takes the place of a function that writes to a file descriptor: the log does. */
function taking(write) {
  return (fd, data, ...rest) => {
    if (fd !== 1 && fd !== 2) return write(fd, data, ...rest);
    written[fd] += data.toString();
    const size = Buffer.byteLength(data);
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done, null, size, data);
    return size;
  };
}
fs.write = taking(fs.write);
fs.writeSync = taking(fs.writeSync);
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, ...rest) => {
    written[stream.fd] += chunk.toString();
    const heard = rest.at(-1);
    if (typeof heard === 'function') process.nextTick(heard);
    return true;
  };
}

/** Runs a command with these arguments and variables, and tells how it ended. */
async function run({ args, env }) {
  process.env = { ...env };
  process.argv = [node, main, ...args];
  process.exitCode = undefined;
  written = ['', '', ''];
  const code = (await runProgram()) ?? process.exitCode ?? 0;
  process.emit('exit', code);
  // As they are in a process that has run nothing.
  for (const name of events) process.removeAllListeners(name);
  process.send({ code, stdout: written[1], stderr: written[2] });
}

process.on('message', (asked) => void run(asked));
process.on('disconnect', () => process.exit());

// Loads the simulator and lib anew, with one text of one file of lib replaced: how a planted bug of the code itself is played.
const fs = require('node:fs');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const lib = path.join(__dirname, '../../../lib') + path.sep;
const simulator = path.join(__dirname, '..') + path.sep;
const hosts = path.join(__dirname, '../../servers/in-process') + path.sep;
const compiled = new Map();

/** @throws Error if the text is not in the file exactly once. */
exports.patchedText = ({ name, file, from, to }) => {
  const parts = fs.readFileSync(path.join(lib, file), 'utf8').split(from);
  if (parts.length !== 2) {
    throw new Error(`${name}: its text is ${parts.length - 1} times in lib/${file}, and not once`);
  }
  return parts.join(to);
};

/** The exports of the simulator over lib with the bug, and the model of Redis for its scripts. */
exports.loadPatched = (patch) => {
  const patched = { filename: path.join(lib, patch.file), text: exports.patchedText(patch) };
  const usual = require.extensions['.ts'];
  require.extensions['.ts'] = (module, filename) => {
    // oxlint-disable-next-line no-underscore-dangle
    module._compile(codeOf(filename, patched), filename);
  };
  const { readFileSync } = fs;
  fs.readFileSync = (filename, ...rest) =>
    filename === patched.filename ? patched.text : readFileSync(filename, ...rest);
  try {
    forget();
    const { openRedisModel } = require(path.join(hosts, 'redis/host.ts'));
    return { simulator: require(path.join(simulator, 'index.ts')), openHost: openRedisModel };
  } finally {
    require.extensions['.ts'] = usual;
    fs.readFileSync = readFileSync;
    forget();
  }
};

function forget() {
  for (const filename of Object.keys(require.cache)) {
    if ([lib, simulator, hosts].some((folder) => filename.startsWith(folder)))
      delete require.cache[filename];
  }
}

function codeOf(filename, patched) {
  if (filename === patched.filename) return compile(filename, patched.text);
  const known = compiled.get(filename);
  if (known !== undefined) return known;
  const code = compile(filename, fs.readFileSync(filename, 'utf8'));
  compiled.set(filename, code);
  return code;
}

function compile(filename, text) {
  return transformSync(text, {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
  }).code;
}

import { createPrivateKey } from 'node:crypto';

import { expect, test } from '@jest/globals';

import {
  noteSigner,
  LogFormatError,
  openNote,
  parseCheckpoint,
  parseNote,
  parseProof,
  parseVkey,
  proofText,
  signCheckpoint,
  signersOf,
  signNote,
} from '../../../lib/operator/archive/tlog';
import { newKey, origin } from './folder';

// The example of golang.org/x/mod/sumdb/note, with its key.
const vkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const seed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const text =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const signature =
  'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=';
const example = `${text}\n\u2014 PeterNeumann ${signature}\n`;

test('the example note of the reference implementation is opened, and made again byte for byte', () => {
  expect(openNote(example, [parseVkey(vkey)]).text).toBe(text);
  const key = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const signer = noteSigner('PeterNeumann', privateKey);
  expect(signer.vkey).toBe(vkey);
  expect(signNote(text, [signer])).toBe(example);
});

test('the examples of the C2SP documents are read: a text with an empty line, a checkpoint', () => {
  const poem = parseNote(
    'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned \u00e8 subito sera.\n\n\u2014 quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n',
  );
  expect(poem.text.endsWith('sole:\n\ned \u00e8 subito sera.\n')).toBe(true);
  expect(poem.signatures.map(({ name, id }) => [name, id])).toEqual([
    ['quasimodo.example/salvatore', '367ba04b'],
  ]);
  const checkpoint = parseCheckpoint(
    'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n',
  );
  expect(checkpoint.origin).toBe('example.com/behind-the-sofa');
  expect(checkpoint.size).toBe(20_852_163);
});

test('a changed text, a wrong signature and an unknown key open no note', () => {
  const known = [parseVkey(vkey)];
  expect(() => openNote(example.replace('answer', 'Answer'), known)).toThrow(LogFormatError);
  expect(() => openNote(example, [newKey()])).toThrow(LogFormatError);
  expect(() => openNote(example, [])).toThrow(LogFormatError);
});

test('signatures of unknown keys are ignored, and one wrong signature of a known key spoils the note', () => {
  const [one, other] = [newKey(), newKey('witness.example/w1')];
  const note = signNote('a\n', [other, one]);
  expect(openNote(note, [one]).signers).toEqual([one]);
  const forged = signNote('b\n', [other]).split('\n\n')[1] ?? '';
  const spoilt = `${signNote('a\n', [one])}${forged}`;
  expect(signersOf(parseNote(spoilt), [one])).toEqual([one]);
  expect(() => signersOf(parseNote(spoilt), [one, other])).toThrow(
    'a signature of the note is wrong',
  );
});

test.each([
  ['no signature', 'text\n\n'],
  ['no empty line', `text\n\u2014 a AAAAAAA=\n`],
  ['a torn signature', 'text\n\n\u2014 a AAAAAAA='],
  ['a hyphen for the dash', 'text\n\n- a AAAAAAA=\n'],
  ['a control character', `te\u001bxt\n\n\u2014 a AAAAAAA=\n`],
  ['a name with a plus', 'text\n\n\u2014 a+b AAAAAAA=\n'],
  ['base64 that is not canonical', 'text\n\n\u2014 a AAAAAAB=\n'],
  ['a signature of four bytes', 'text\n\n\u2014 a AAAAAA==\n'],
  ['a lone surrogate', 'te\ud800xt\n\n\u2014 a AAAAAAA=\n'],
  ['a hundred signatures', `text\n\n${'\u2014 a AAAAAAA=\n'.repeat(100)}`],
  ['a megabyte', `${'x'.repeat(1_000_000)}\n\n\u2014 a AAAAAAA=\n`],
])('a note with %s is refused', (_, note) => {
  expect(() => parseNote(note)).toThrow(LogFormatError);
});

test.each([
  ['another id', vkey.replace('c74f20a3', 'c74f20a4')],
  ['another key', vkey.replace('ARpc', 'ARpd')],
  ['another algorithm', vkey.replace('ARpc', 'Ahpc')],
  ['another name', vkey.replace('Peter', 'Petra')],
  ['a name with a space', vkey.replace('Peter', 'Pet r')],
  ['no name', vkey.replace('PeterNeumann', '')],
  ['a line break', `${vkey}\n`],
])('a published key with %s is refused', (_, wrong) => {
  expect(() => parseVkey(wrong)).toThrow(LogFormatError);
});

test.each([
  ['a leading zero', `${origin}\n01\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n`],
  [
    'a size above 2^53',
    `${origin}\n9007199254740993\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n`,
  ],
  ['a short root', `${origin}\n1\nAAAA\n`],
  ['an extension', `${origin}\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\nmore\n`],
])('a checkpoint with %s is refused', (_, wrong) => {
  expect(() => parseCheckpoint(signNote(wrong, [newKey()]))).toThrow(LogFormatError);
});

test('a proof is read as it was written, with extra data skipped', () => {
  const path = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const checkpoint = signCheckpoint({ origin, size: 4, root: Buffer.alloc(32) }, [newKey()]);
  const proof = { index: 3, path, checkpoint };
  expect(parseProof(proofText(proof))).toEqual(proof);
  expect(parseProof(proofText(proof).replace('index', 'extra AAAA\nindex'))).toEqual(proof);
  expect(parseProof(proofText({ ...proof, path: [] })).path).toEqual([]);
  const wrong = [
    proofText(proof).replace('index 3', 'index 03'),
    proofText(proof).replace('@v1', '@v2'),
    proofText({ ...proof, path: [Buffer.alloc(31)] }),
    proofText({ ...proof, path: Array.from({ length: 54 }, () => Buffer.alloc(32)) }),
    '',
  ];
  for (const one of wrong) expect(() => parseProof(one)).toThrow(LogFormatError);
});

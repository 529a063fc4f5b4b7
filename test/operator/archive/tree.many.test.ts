import { createHash } from 'node:crypto';

import { expect, test } from '@jest/globals';

import {
  consistencyProof,
  emptyRoot,
  Frontier,
  inclusionProof,
  isConsistent,
  isIncluded,
  joinRanges,
  KnownSubtrees,
  leafHash,
  rangeOf,
  rangePlaces,
} from '../../../lib/operator/archive/tlog';
import { runs } from '../../support/runs';

const most = runs(300, 64);

const entries = Array.from({ length: most }, (_, at) => Buffer.from(`entry ${at}`));
const hashes = new Map<string, Buffer>();

/** RFC 9162, 2.1.1: the hash of the entries [from, to), by its recursive definition. */
function rootOf(from: number, to: number): Buffer {
  if (from === to) return sha(Buffer.alloc(0));
  if (to - from === 1) return sha(Buffer.from([0]), entries[from] ?? Buffer.alloc(0));
  const name = `${from} ${to}`;
  const middle = from + splitOf(to - from);
  const hash = hashes.get(name) ?? sha(Buffer.from([1]), rootOf(from, middle), rootOf(middle, to));
  hashes.set(name, hash);
  return hash;
}

/** RFC 9162, 2.1.3.1: PATH(m, D_n). */
function pathOf(m: number, from: number, to: number): Buffer[] {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  return m < middle
    ? [...pathOf(m, from, middle), rootOf(middle, to)]
    : [...pathOf(m, middle, to), rootOf(from, middle)];
}

/** RFC 9162, 2.1.4.1: SUBPROOF(m, D_n, b). */
function subproofOf(m: number, from: number, to: number, isWhole: boolean): Buffer[] {
  if (m === to) return isWhole ? [] : [rootOf(from, to)];
  const middle = from + splitOf(to - from);
  return m <= middle
    ? [...subproofOf(m, from, middle, isWhole), rootOf(middle, to)]
    : [...subproofOf(m, middle, to, false), rootOf(from, middle)];
}

function areSame(one: readonly Buffer[], other: readonly Buffer[]): boolean {
  return one.length === other.length && one.every((hash, at) => other[at]?.equals(hash));
}

function splitOf(n: number): number {
  return 2 ** Math.ceil(Math.log2(n) - 1);
}

function sha(...parts: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

const leaves = entries.map((entry) => leafHash(entry));
const rootAt = (size: number): Buffer => rootOf(0, size);
const leafAt = (index: number): Buffer => leaves[index] ?? Buffer.alloc(0);
/** All that follows from the leaves. */
const known = new KnownSubtrees();
for (const [index, hash] of leaves.entries()) known.add({ level: 0, index, hash });

test('the roots of the tree of RFC 6962 are those of its reference implementation', () => {
  const texts = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ];
  const frontier = new Frontier();
  const found = texts.map((text) => {
    frontier.append(leafHash(Buffer.from(text, 'hex')));
    return frontier.root().toString('hex');
  });
  expect(found).toEqual([
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]);
  expect(emptyRoot.toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

test('the frontier has the root of the definition at every size', () => {
  const frontier = new Frontier();
  const found = [
    frontier.root(),
    ...leaves.map((leaf) => (frontier.append(leaf), frontier.root())),
  ];
  expect(
    areSame(
      found,
      found.map((_, size) => rootAt(size)),
    ),
  ).toBe(true);
});

test('the inclusion proof of every entry of every size is that of the definition, and proves this entry alone', () => {
  const wrong: string[] = [];
  for (let size = 1; size <= most; size++) {
    const head = { size, root: rootAt(size) };
    for (let index = 0; index < size; index++) {
      const proof = inclusionProof(index, size, known);
      const other = (index + 1) % size;
      const isRight =
        areSame(proof, pathOf(index, 0, size)) &&
        isIncluded(leafAt(index), index, proof, head) &&
        !isIncluded(leafAt(index), index, [...proof, head.root], head) &&
        (size === 1 ||
          (!isIncluded(leafAt(other), index, proof, head) &&
            !isIncluded(leafAt(index), other, proof, head) &&
            !isIncluded(leafAt(index), index, proof.slice(1), head)));
      if (!isRight) wrong.push(`${index} of ${size}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the consistency proof of every pair of sizes is that of the definition, and proves no other log', () => {
  const wrong: string[] = [];
  const forged = leafHash('forged');
  for (let size = 1; size <= most; size++) {
    const after = { size, root: rootAt(size) };
    for (let earlier = 0; earlier <= size; earlier++) {
      const before = { size: earlier, root: rootAt(earlier) };
      const proof = consistencyProof(earlier, size, known);
      const isRight =
        isConsistent(before, after, proof) &&
        !isConsistent(before, after, [...proof, after.root]) &&
        (earlier === 0 ||
          (areSame(proof, subproofOf(earlier, 0, size, true)) &&
            !isConsistent({ ...before, root: forged }, after, proof) &&
            !isConsistent(before, { ...after, root: forged }, proof) &&
            (proof.length === 0 || !isConsistent(before, after, proof.slice(1)))));
      if (!isRight) wrong.push(`${earlier} of ${size}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the ranges of segments give every proof that the leaves give, of the sizes at their ends', () => {
  const ends = [0, 7, 8, 30, 41, 64];
  const ranges = ends.slice(1).map((to, at) => {
    const from = ends[at] ?? 0;
    return rangeOf(from, leaves.slice(from, to));
  });
  const joined = joinRanges(ranges);
  for (const [at, range] of ranges.entries()) {
    const places = rangePlaces(ends[at] ?? 0, ends[at + 1] ?? 0);
    expect(range.map(({ level, index }) => ({ level, index }))).toEqual(places);
  }
  for (const size of ends.slice(1)) {
    for (const earlier of ends.filter((one) => one <= size)) {
      expect(consistencyProof(earlier, size, joined)).toEqual(
        consistencyProof(earlier, size, known),
      );
    }
  }
  expect(() => inclusionProof(20, 64, joined)).toThrow(RangeError);
});

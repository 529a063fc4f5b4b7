import { type Case, groups } from '../talk/case';
import { basics } from '../cases/basics';
import { roundCases } from '../cases/rounds';
import { transportCases } from '../cases/transport';
import { crashes } from '../cases/crashes';
import { histories } from '../cases/histories/random-histories';
import { load } from '../cases/load';

const unordered: readonly Case[] = [
  ...basics,
  ...roundCases,
  ...transportCases,
  ...histories,
  ...crashes,
  ...load,
];

/** All cases, in the order in which they are played: group by group. */
export const allCases: readonly Case[] = groups.flatMap((name) =>
  unordered.filter(({ group }) => group === name),
);

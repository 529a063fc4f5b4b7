import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  commandsOfScripts,
  sentOutside,
} from '../../../../lib/operator/stores/redis/commands/rights';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';

const docs = readFileSync(join(__dirname, '../../../../docs/operations/redis.md'), 'utf8');

function rightsOf(names: readonly string[]): string {
  return names.map((name) => `+${name}`).join(' ');
}

test('the rights that the documentation names are what the scripts run, and what is sent outside them', () => {
  const base = commandsOfScripts({ events: false, history: false });
  const added = (options: { events: boolean; history: boolean }) =>
    commandsOfScripts(options).filter((name) => !base.includes(name));
  const lines = [
    sentOutside,
    base.filter((name) => !sentOutside.includes(name)),
    added({ events: false, history: true }),
    added({ events: true, history: false }),
  ];
  expect(/```text\n(\+evalsha[^`]*)\n```/.exec(docs)?.[1]?.split('\n')).toEqual(
    lines.map(rightsOf),
  );
});

test('every script names its commands by literals, so that none is missed', () => {
  const hidden = Object.values(scripts)
    .filter((script) => script !== scripts.tryCommands)
    .filter(({ source }) => /redis\.p?call\((?!'\w+')/.test(source));
  expect(hidden.map(({ name }) => name)).toEqual([]);
});

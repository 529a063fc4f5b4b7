import type { Patch } from './patch';

const log = 'operator/stores/memory/event-log.ts';
const rounds = 'operator/stores/memory/rounds.ts';
const players = 'operator/stores/memory/players.ts';
const acts = 'operator/stores/codec/act.ts';
const told = 'operator/wallet/round-event.ts';
const lua = 'operator/stores/redis/commands';
const sql = 'operator/stores/postgres/schema/migrations/001-schema';
const tells = 'this.tell(order, actOfOrder(order), at);';
const tellsOnce = `acts.moved(order, at);
      ${tells}
    }`;

/** Bugs of events, and of who reads them (O12). */
export const eventPatches: readonly Patch[] = [
  {
    name: 'events: cash is moved without one',
    breaks: 'O12: the sum of all movements is the balance',
    file: players,
    from: tells,
    to: '',
  },
  {
    name: 'events: a repeated order writes another one',
    breaks: 'O12: each act is one event',
    file: players,
    from: tellsOnce,
    to: `acts.moved(order, at);\n    }\n    if (result.kind === 'done') ${tells}`,
  },
  {
    name: 'events: a refused order writes one',
    breaks: 'O12: nothing happened',
    file: players,
    from: tellsOnce,
    to: `acts.moved(order, at);\n    }\n    if (result.kind !== 'done' || !result.replay) ${tells}`,
  },
  {
    name: 'events: a block that repeats the latest record writes one',
    breaks: 'O12: a block event without a change',
    file: players,
    from: 'if (number > 0) this.restricted(order, actOfBlock(order), at, number);',
    to: 'if (number > 0) this.restricted(order, actOfBlock(order), at, number);\n    else this.tell(order, actOfBlock(order), at);',
  },
  {
    name: 'events: a block does not say who',
    breaks: 'O12: who and why',
    file: acts,
    from: "return { type: 'block', blocked, until, by, reason };",
    to: "return { type: 'block', blocked, until, by: null, reason };",
  },
  {
    name: 'events: cash does not say why',
    breaks: 'O12: who and why',
    file: acts,
    from: "return { type: 'cash', kind, reference, currency, purse, by, reason };",
    to: "return { type: 'cash', kind, reference, currency, purse, by, reason: null };",
  },
  {
    name: 'events: an opening leaves out the bonus',
    breaks: 'O12: the sum of all movements is the balance',
    file: acts,
    from: 'const purse = { real, bonus: bonus ?? 0n };',
    to: 'const purse = { real, bonus: 0n };',
  },
  {
    name: 'events: a round has too much bonus in its accounts',
    breaks: 'O12: the accounts follow from those of the event before',
    file: rounds,
    from: 'const event = { ...committed, records, movements, accounts: left };',
    to: 'const told = left && left.map((one) => ({ ...one, bonus: one.bonus && one.bonus + 1n }));\n      const event = { ...committed, records, movements, accounts: told };',
  },
  {
    name: 'events: what a debit took is added',
    breaks: 'O12: the accounts follow from the movements',
    file: rounds,
    from: 'purse: subtractPurses(emptyPurse, taken.get(hash) ?? emptyPurse) };',
    to: 'purse: taken.get(hash) ?? emptyPurse };',
  },
  {
    name: 'events: one has the version from before its commit',
    breaks: 'the id of an event',
    file: rounds,
    from: 'round: key, version: next, state',
    to: 'round: key, version: before.version, state',
  },
  {
    name: 'events: a commit that only notes a signature writes one',
    breaks: 'O12: it tells nothing',
    file: rounds,
    from: 'if (log.isOn && !tellsNothing(change)) {',
    to: 'if (log.isOn) {',
  },
  {
    name: 'events: one is written some time after its commit',
    breaks: 'O12: the order of the balances; a process that dies meanwhile writes none',
    file: rounds,
    from: 'log.add(createRoundEvent(event, decimals));',
    to: 'void clock.pause(3).then(() => log.add(createRoundEvent(event, decimals)));',
  },
  {
    name: 'events: the first proposal for a round is not told',
    breaks: 'O12: every act is one event',
    file: told,
    from: 'if (after === undefined || after === before) return [];',
    to: 'if (after === undefined || before === undefined || after === before) return [];',
  },
  {
    name: 'events: a rejection is not told',
    breaks: 'O12: every act is one event',
    file: told,
    from: 'const { status, decidedAt } = known.get(one.id) ?? {};',
    to: "if (one.status === 'rejected') return false;\n    const { status, decidedAt } = known.get(one.id) ?? {};",
  },
  {
    name: 'events: a repair is told as a call',
    breaks: 'O12: the cause',
    file: 'operator/gameround/repairs/propose.ts',
    from: "cause: 'repair',",
    to: '',
  },
  {
    name: 'events: a mark is told as a call',
    breaks: 'O12: the cause',
    file: 'operator/gameround/cancel.ts',
    from: "movements: [], cause: 'mark' };",
    to: 'movements: [] };',
  },
  {
    name: 'events: what a repair paid at a ledger is not told',
    breaks: 'O12: the sum of all movements',
    file: 'operator/gameround/ledger/plan.ts',
    store: 'ledger',
    from: "return [{ kind: 'give', hash, currency: record.currency, purse: record.purse }];",
    to: 'return [];',
  },
  {
    name: 'events: a page is acknowledged one too far',
    breaks: 'O12: none is skipped',
    file: log,
    from: 'kept.positions.set(consumer, from + events.length);',
    to: 'kept.positions.set(consumer, from + events.length + 1);',
  },
  {
    name: 'events: the last of a page is not acknowledged',
    breaks: 'what was acknowledged does not come again',
    file: log,
    from: 'kept.positions.set(consumer, from + events.length);',
    to: 'kept.positions.set(consumer, from + events.length - 1);',
  },
  {
    name: 'events: what one consumer has acknowledged is deleted',
    breaks: 'O12: none is skipped',
    file: log,
    from: 'const first = Math.min(end, ...least);',
    to: 'const first = Math.min(end, Math.max(...least));',
  },
  {
    name: 'Lua: events: a page leaves out one of a busy bucket',
    breaks: 'O12: none is skipped',
    file: `${lua}/events/read.lua`,
    store: 'lua',
    from: '  left = left - #entries\n',
    to: '  if #entries == share and share > 1 then table.remove(entries, 1) end\n  left = left - #entries\n',
  },
  {
    name: 'Lua: events: cash has the accounts of before it',
    breaks: 'O12: the accounts follow from those of the event before',
    file: `${lua}/move-cash.lua`,
    store: 'lua',
    from: "redis.call('HSET', KEYS.account, ARGV.currency, value)\n",
    to: "if KEYS.stream then tell(KEYS.stream, KEYS.account, ARGV.event, ARGV.at) KEYS.stream = nil end\nredis.call('HSET', KEYS.account, ARGV.currency, value)\n",
  },
  {
    name: 'Lua: events: every block of a player has the number 1',
    breaks: 'the id of an event',
    file: `${lua}/block-player.lua`,
    store: 'lua',
    from: "ARGV.event .. '\\n' .. number",
    to: "ARGV.event .. '\\n1'",
  },
  {
    name: 'Lua: events: more is acknowledged than a page had room for',
    breaks: 'O12: none is skipped',
    file: 'operator/stores/redis/events.ts',
    store: 'lua',
    from: '? this.acknowledge(request, found) :',
    to: '? this.acknowledge(request, answers.flatMap((one) => (later.get(one) ?? one).found)) :',
  },
  {
    name: 'SQL: events: cash is moved without one',
    breaks: 'O12: the sum of all movements is the balance',
    file: `${sql}/08-players.sql`,
    store: 'sql',
    from: 'a.bonus::text, NULL];\n  IF event IS NOT NULL THEN',
    to: 'a.bonus::text, NULL];\n  IF false THEN',
  },
];

import type { Patch } from './patch';

const redis = 'operator/stores/redis/commands';
const folder = 'operator/stores/postgres/schema/migrations/001-schema';

/** Bugs of limits and of blocks that end (D13) in the programs that Redis and PostgreSQL run. */
export const limitProgramPatches: readonly Patch[] = [
  {
    name: 'Lua: limits are forgotten on follow-ups',
    breaks: 'D13.3',
    store: 'lua',
    file: `${redis}/commit.lua`,
    from: 'if groups and not count(groups, 1, 2,',
    to: 'if groups and not read and not count(groups, 1, 2,',
  },
  {
    name: 'Lua: limits: a deposit is not counted',
    breaks: 'D13.3',
    store: 'lua',
    file: `${redis}/move-cash.lua`,
    from: "if groups then redis.call('HSET', KEYS.account, '#limits', pack_limits(groups)) end",
    to: '',
  },
  {
    name: 'SQL: limits are forgotten on follow-ups',
    breaks: 'D13.3',
    store: 'sql',
    file: `${folder}/05-follow.sql`,
    from: 'AND NOT (a.limited OR takes AND a.blocked)',
    to: 'AND NOT (takes AND a.blocked)',
  },
  {
    name: 'SQL: limits: a deposit is not counted',
    breaks: 'D13.3',
    store: 'sql',
    file: `${folder}/08-players.sql`,
    from: 'PERFORM {schema}.write_limits(of_operator, of_player, weighed.counted);',
    to: 'NULL;',
  },
  {
    name: 'SQL: limits: a void gives room for what moved before the limit',
    breaks: 'D13.4',
    store: 'sql',
    file: `${folder}/02-limits.sql`,
    from: 'AND (e.value ->> 6)::bigint > held.since',
    to: '',
  },
  {
    name: 'Lua: limits: a win reduces no loss',
    breaks: 'D13.4',
    store: 'lua',
    file: `${redis}/commit.lua`,
    from: "if groups and kind == 'give' then count(groups, 2, 2, currency, -x, -bonus) end",
    to: '',
  },
  {
    name: 'Lua: limits: a win also makes room for stakes',
    breaks: 'D13.3: a stake is what debits took',
    store: 'lua',
    file: `${redis}/commit.lua`,
    from: 'count(groups, 2, 2, currency, -x, -bonus)',
    to: 'count(groups, 1, 2, currency, -x, -bonus)',
  },
  {
    name: 'Lua: limits: what a commit counted is not kept',
    breaks: 'D13.3',
    store: 'lua',
    file: `${redis}/commit.lua`,
    from: "if groups then written[#written + 1], written[#written + 2] = '#limits', pack_limits(groups) end",
    to: '',
  },
  {
    name: 'SQL: limits: the quick way counts nothing',
    breaks: 'D13.3',
    store: 'sql',
    file: `${folder}/02-limits.sql`,
    from: 'held.used := {schema}.add_units(held.used, CASE held.kind WHEN 1 THEN stake ELSE loss END);',
    to: '',
  },
  {
    name: 'SQL: limits: the quick way counts twice',
    breaks: 'D13.3',
    store: 'sql',
    file: `${folder}/02-limits.sql`,
    from: 'held.used := {schema}.add_units(held.used, CASE held.kind WHEN 1 THEN stake ELSE loss END);',
    to: 'held.used := {schema}.add_units(held.used, 2 * CASE held.kind WHEN 1 THEN stake ELSE loss END);',
  },
];

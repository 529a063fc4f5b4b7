import { Script } from './script';

const player = ['account'] as const;
const cash = ['account', 'references', 'order'] as const;
const movingCash = [...cash, 'acts'] as const;
const blocks = ['account', 'blocks'] as const;
const changes = ['account', 'changes'] as const;
const bucket = ['events', 'cursors'] as const;
const buckets = ['events...', 'cursors...'] as const;
const settings = ['settings'] as const;
const rounds = ['rounds...'] as const;

/** What an act writes besides. */
const extra = { keys: ['stream'], args: ['event', 'at'] } as const;

const accountAndRound = ['account', 'round'] as const;
/** The moment of a commit for the limits of its player. */
const limits = { args: ['now', 'moment', 'back'] } as const;
/** What a commit and a follow-up may write besides. */
const extras = {
  events: { keys: ['stream'], args: ['text', 'at'] },
  history: { keys: ['list', 'kept'], args: ['name'] },
  open: { keys: ['rounds'] },
} as const;
const change = {
  keys: accountAndRound,
  args: ['version', 'head', 'debitsReal', 'debitsBonus', 'credits', 'keep', 'fields', 'movements'],
  parts: {
    index: {
      keys: ['attention', 'unfinished'],
      args: ['leavesAttention', 'entersAttention', 'leavesUnfinished', 'entersUnfinished'],
    },
    ...extras,
    carried: { args: ['currency', 'real', 'bonus'] },
    repairs: { keys: ['set', 'acts'], args: ['places', 'done'] },
    limits,
  },
} as const;
const followUp = {
  keys: accountAndRound,
  args: ['added', 'gameCode', 'fields', 'movements'],
  parts: { ...extras, carried: { args: ['keep', 'closedAt'] }, limits },
} as const;

const commit = new Script('commit', change, true, ['fields', 'limits/count']);
const load = new Script('load', { keys: accountAndRound, args: ['fields...'] }, true);

/** The scripts of the store. */
export const scripts = {
  commit,
  load,
  open: new Script('rounds/open', change, true, ['fields', 'limits/count', load, commit]),
  follow: new Script('follow', followUp, true, ['fields', 'limits/count', load, commit]),
  readAccounts: new Script('read-accounts', { keys: player }, false),
  readRound: new Script('rounds/read', { keys: ['round'] }, false),
  listRounds: new Script('rounds/list', { keys: ['indexes...'], args: ['from', 'atMost'] }, false),
  readHeads: new Script('rounds/read-heads', { keys: rounds }, false),
  readVersions: new Script('rounds/read-versions', { keys: rounds }, false),
  openPlayer: new Script(
    'open-player',
    {
      keys: movingCash,
      args: ['currency', 'balance', 'openings...', 'movements...', 'places...'],
      extra,
    },
    true,
    ['tell'],
  ),
  blockPlayer: new Script(
    'block-player',
    { keys: [...blocks, 'acts'], args: ['blocked', 'content', 'time', 'place'], extra },
    true,
    ['tell'],
  ),
  readBlocks: new Script('read-blocks', { keys: blocks, args: ['atMost'] }, false),
  moveCash: new Script(
    'move-cash',
    {
      keys: movingCash,
      args: ['reference', 'content', 'rest', 'currency', 'balance', 'units', 'place'],
      extra,
    },
    true,
    ['tell', 'limits/count'],
  ),
  setLimit: new Script(
    'limits/set',
    {
      keys: [...changes, 'acts'],
      args: ['read', 'groups', 'content', 'time', 'place'],
      parts: {
        event: extra,
        seen: {
          keys: ['history', 'order', 'references', 'rounds...'],
          args: ['newest', 'latest', 'versions...'],
        },
      },
    },
    true,
    ['tell', 'limits/count'],
  ),
  endReading: new Script(
    'limits/end-reading',
    { keys: player, args: ['kind', 'currency', 'reading', 'numbers', 'units'] },
    true,
    ['limits/count'],
  ),
  readLimits: new Script('limits/read', { keys: changes, args: ['atMost'] }, false, [
    'limits/count',
  ]),
  readCash: new Script('read-cash', { keys: cash, args: ['before', 'atMost'] }, false),
  readBooks: new Script('read-books', { keys: ['account', 'references', 'rounds...'] }, false),
  readHistory: new Script('history/read', { keys: ['history'], args: ['before', 'atMost'] }, false),
  readRounds: new Script('history/read-rounds', { keys: rounds }, false),
  searchRounds: new Script(
    'history/search',
    { keys: rounds, args: ['transactions...', 'voids...'] },
    false,
  ),
  readHistoryPart: new Script(
    'history/read-part',
    { keys: ['history'], args: ['place', 'atMost'] },
    false,
  ),
  removeExpired: new Script(
    'history/remove-expired',
    { keys: ['history', 'rounds...'], args: ['entries...'] },
    false,
  ),
  noteHistory: new Script('history/note', { keys: settings, args: ['now'] }, false),
  noteAct: new Script('store/note-act', { keys: ['acts'], args: ['member'] }, true),
  noteActs: new Script('store/note-acts', { keys: settings, args: ['at'] }, false),
  listOpen: new Script(
    'open-rounds/list',
    { keys: ['open...'], args: ['from', 'to', 'atMost'] },
    false,
  ),
  mendOpen: new Script('open-rounds/mend', { keys: ['open', 'rounds...'] }, false),
  readLatest: new Script('repairs/latest', { keys: ['sets...'], args: ['from', 'atMost'] }, false),
  readRepaired: new Script('repairs/read', { keys: rounds }, false),
  readSettings: new Script('store/read-settings', { keys: settings, args: ['names...'] }, false),
  makeStore: new Script('store/make', { keys: settings, args: ['fields...'] }, false),
  noteServing: new Script(
    'store/note-serving',
    { keys: settings, args: ['name', 'retention', 'countsMs', 'isForced'] },
    false,
  ),
  renewToken: new Script(
    'store/renew-token',
    { keys: settings, args: ['name', 'at', 'least', 'kept'] },
    false,
  ),
  tryCommands: new Script('store/try-commands', { args: ['key', 'commands...'] }, false),
  declareConsumers: new Script(
    'events/declare',
    { keys: ['consumers'], args: ['command', 'names...'] },
    true,
  ),
  readConsumers: new Script('events/list-consumers', { keys: ['consumers'] }, false),
  readEvents: new Script(
    'events/read',
    { keys: buckets, args: ['consumer', 'atMost', 'least', 'first'] },
    false,
  ),
  findEvents: new Script('events/find', { keys: ['events...'] }, false),
  countEvents: new Script('events/count', { keys: buckets, args: ['consumer'] }, false),
  advanceEvents: new Script(
    'events/advance',
    { keys: buckets, args: ['consumer', 'declared', 'before...', 'next...'] },
    false,
  ),
  forgetEvents: new Script(
    'events/forget',
    { keys: bucket, args: ['consumer', 'bound', 'declared...'] },
    false,
  ),
  addTotals: new Script(
    'events/add-totals',
    {
      keys: ['cursors', 'marks', 'targets...'],
      args: ['since', 'moves', 'gaps', 'writes...'],
    },
    true,
  ),
  readKeptRounds: new Script(
    'events/read-kept',
    { keys: ['targets...'], args: ['names...'] },
    false,
  ),
  sumTotals: new Script(
    'events/sum-totals',
    { keys: ['quarters...'], args: ['except', 'parts...'] },
    false,
  ),
  readNotable: new Script(
    'events/read-notable',
    { keys: ['notable'], args: ['before', 'from', 'most'] },
    false,
  ),
  readFoundPlayers: new Script('events/read-players', { keys: ['players'], args: ['most'] }, false),
  readHashes: new Script('store/read-hashes', { keys: ['targets...'] }, false),
  saveMinute: new Script(
    'store/save-minute',
    { keys: ['minute'], args: ['process', 'text', 'most', 'keep'] },
    true,
  ),
  saveReconciliation: new Script(
    'reconciliations/save',
    { keys: ['reconciled'], args: ['name', 'text', 'first'] },
    true,
  ),
  listReconciliations: new Script(
    'reconciliations/list',
    { keys: ['reconciled'], args: ['days'] },
    false,
  ),
  interruptTotals: new Script('events/interrupt-totals', { keys: ['marks'] }, false),
} as const;

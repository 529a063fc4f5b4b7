import type { StoreFunction } from './statement';

const ofPlayer = ['of_operator', 'of_player'] as const;
const ofRound = [...ofPlayer, 'of_round'] as const;
const page = ['of_operator', 'after_player', 'after_round', 'at_most'] as const;
/** What every function that writes takes. */
const writing = ['accept_loss', 'lock_timeout_ms'] as const;
const nextHead = [
  'next_version',
  'next_state',
  'next_resume',
  'next_changed_at',
  'next_currency',
  'next_game_code',
  'is_started',
  'next_credited',
  'next_ended',
  'next_declined',
  'next_unanswered',
  'debits_real',
  'debits_bonus',
  'credits_real',
  'credits_bonus',
] as const;
const pending = ['keeps_pending', 'next_pending', 'needs_attention', 'keep_ms'] as const;
const guard = ['in_currency', 'net', 'lowest', 'highest', 'takes', 'bonus_first'] as const;
const records = ['opening', 'record_hash', 'record_kind', 'record_text', 'record_take'] as const;
const round = [...ofRound, 'expected_version', ...nextHead, ...pending] as const;
const commit = [...round, 'movements', ...guard, 'took', ...records] as const;
const moves = [
  'move_kind',
  'move_currency',
  'move_real',
  'move_bonus',
  'move_bonus_first',
  'move_hash',
] as const;
/** The balances after a commit. */
const line = ['line_at', 'line_order', 'line_net'] as const;
/** What is added to a running round. */
const addition = [
  ...ofRound,
  'hashes',
  'in_json',
  'of_currency',
  'of_game_code',
  'next_state',
  'next_changed_at',
  'more_credited',
  'more_ended',
  'more_debits',
  'more_credits_real',
  'more_credits_bonus',
  'keep_ms',
  'record_hash',
  'record_kind',
  'record_text',
  'record_take',
  'event',
] as const;
/** Who did it, and why. */
const act = ['of_actor', 'of_actor_name', 'of_reason'] as const;
const movement = ['of_reference', 'of_kind', 'move_units', 'of_currency', 'of_balance'] as const;
const account = [...ofPlayer, 'of_currency', 'real_units', 'bonus_units', ...act] as const;
const booksPage = [
  ...ofPlayer,
  'after_operator',
  'after_player',
  'after_currency',
  'at_most',
] as const;
const cashPage = [...ofPlayer, 'before_at', 'before_reference', 'at_most'] as const;

const saved = [...writing, 'of_operator', 'of_day', 'of_source', 'at', 'result', 'since'] as const;
const minuteRow = [...writing, 'of_minute', 'of_process', 'counts', 'most', 'keep_ms'] as const;
const keptRounds = ['of_operator', 'players', 'rounds'] as const;
const notablePage = [
  'of_operator',
  'of_kind',
  'from_ms',
  'to_ms',
  'before_at',
  'before_player',
  'before_round',
  'at_most',
] as const;
const quarters = ['of_operator', 'from_quarter', 'to_quarter'] as const;
const newest = ['of_operator', 'at_most'] as const;
const actsPage = [
  ...ofPlayer,
  'of_actor',
  'of_kind',
  'from_us',
  'before_us',
  'before_player',
  'before_key',
  'at_most',
] as const;
const actNote = [...writing, ...ofPlayer, 'at', 'of_key', 'of_actor', 'content'] as const;
const ofConsumer = ['of_operator', 'of_consumer'] as const;

const isConfirmed = true;

const commitRound = {
  name: 'commit_round',
  parameters: [...writing, ...commit],
  width: 4,
} as const;
const telling = { ...commitRound, parameters: [...commitRound.parameters, 'event'] } as const;
/** With all that few commits write: repairs, and the balances after it. */
const whole = {
  ...telling,
  parameters: [...telling.parameters, 'next_repairs', ...line, 'of_ledger'],
} as const;
/** With the moment of the commit, for a player who may have limits. */
const limited = { ...whole, parameters: [...whole.parameters, 'moment'] } as const;
/** The commit with the money in tables of the platform's own. */
const commitOwn = {
  name: 'commit_own',
  parameters: [...writing, ...round, ...moves, ...records, 'event', 'next_repairs'],
  width: 4,
} as const;

const followRound = {
  name: 'follow_round',
  parameters: [...writing, ...addition, 'movements', ...guard, 'took', ...line],
  width: 19,
  isConfirmed,
} as const;

const openAccount = {
  name: 'open_account',
  parameters: [...writing, ...account],
  width: 4,
  isConfirmed,
} as const;
const recordBlock = {
  name: 'record_block',
  parameters: [...writing, ...ofPlayer, 'is_blocked', 'ends_at', ...act],
  width: 1,
} as const;
const recordCash = {
  name: 'record_cash',
  parameters: [...writing, ...ofPlayer, ...movement, ...act],
  width: 5,
} as const;

const setLimit = {
  name: 'set_limit',
  parameters: [
    ...writing,
    ...ofPlayer,
    'terms_read',
    'groups',
    'of_terms',
    ...act,
    'event',
    'seen_rounds',
    'seen_versions',
    'newest_round',
    'latest_cash',
  ],
  width: 19,
} as const;
const endReading = {
  name: 'end_reading',
  parameters: [...writing, ...ofPlayer, 'of_kind', 'of_currency', 'reading', 'at_numbers', 'more'],
  width: 1,
} as const;

/** The functions of the store: every method is one call of one of them. */
export const functions = {
  commitRound,
  /** The same with an event: without one its parameter is not named at all. */
  commitAndTell: telling,
  commitWhole: whole,
  commitOwn,
  /** Commits with the round read where they are stale. */
  openRound: { ...commitRound, opens: { isOwn: false } },
  openAndTell: { ...telling, opens: { isOwn: false } },
  openWhole: { ...whole, opens: { isOwn: false } },
  commitLimited: limited,
  openLimited: { ...limited, opens: { isOwn: false } },
  openOwn: { ...commitOwn, opens: { isOwn: true } },
  loadOwn: { name: 'load_own', parameters: [...ofRound, 'hashes'], width: 19, isConfirmed },
  readOwn: { name: 'read_own', parameters: ofPlayer, width: 4 },
  probeOwn: { name: 'probe_own', parameters: ['of_players'], width: 1 },
  /** A commit on what a running round is known to be without reading it. */
  followRound,
  followLimited: { ...followRound, parameters: [...followRound.parameters, 'moment'] },
  followOwn: {
    name: 'follow_own',
    parameters: [...writing, ...addition, ...moves],
    width: 19,
    isConfirmed,
  },
  loadRound: { name: 'load_round', parameters: [...ofRound, 'hashes'], width: 19, isConfirmed },
  readRound: { name: 'read_round', parameters: ofRound, width: 19, isConfirmed },
  readAccounts: { name: 'read_accounts', parameters: ofPlayer, width: 4 },
  readPlayer: { name: 'read_player', parameters: ofPlayer, width: 5 },
  openAccount,
  recordBlock,
  recordCash,
  /** The same with an event, as those of commits. */
  openAndTellAccount: { ...openAccount, parameters: [...openAccount.parameters, 'event'] },
  blockAndTell: { ...recordBlock, parameters: [...recordBlock.parameters, 'event'] },
  moveAndTell: { ...recordCash, parameters: [...recordCash.parameters, 'event'] },
  moveLimited: { ...recordCash, parameters: [...recordCash.parameters, 'event', 'moment'] },
  listBlocks: { name: 'list_blocks', parameters: [...ofPlayer, 'at_most'], width: 7 },
  setLimit,
  endReading,
  readLimits: { name: 'read_limits', parameters: [...ofPlayer, 'at_most'], width: 6 },
  listCash: { name: 'list_cash', parameters: cashPage, width: 10 },
  listRounds: {
    name: 'list_rounds',
    parameters: [...ofPlayer, 'before_id', 'at_most'],
    width: 25,
  },
  findRound: {
    name: 'find_round',
    parameters: [...ofPlayer, 'of_hash', 'in_json', 'before_id', 'at_most'],
    width: 25,
  },
  listAttention: { name: 'list_attention', parameters: page, width: 1 },
  listBooks: { name: 'list_books', parameters: booksPage, width: 13 },
  listOpen: { name: 'list_open', parameters: [...page, 'until', 'after_changed_at'], width: 1 },
  listRepairs: {
    name: 'list_repairs',
    parameters: [
      'of_operator',
      'before_at',
      'before_player',
      'before_round',
      'before_repair',
      'at_most',
    ],
    width: 8,
  },
  noteAct: { name: 'note_act', parameters: actNote, width: 1 },
  listActs: { name: 'list_acts', parameters: actsPage, width: 12 },
  listUnfinished: { name: 'list_unfinished', parameters: page, width: 2 },
  declareConsumers: {
    name: 'declare_consumers',
    parameters: [...writing, 'names'],
    width: 1,
    isConfirmed,
  },
  readEvents: {
    name: 'read_events',
    parameters: ['lock_timeout_ms', ...ofConsumer, 'at_most'],
    width: 9,
  },
  advanceEvents: {
    name: 'advance_events',
    parameters: [...writing, ...ofConsumer, 'at_step', 'to_place', 'is_last'],
    width: 1,
  },
  /** The same with what the totals add. */
  addTotals: {
    name: 'add_totals',
    parameters: [
      ...writing,
      ...ofConsumer,
      'at_step',
      'to_place',
      'is_last',
      'since',
      'sums',
      'rounds',
      'gaps',
      'now_ms',
      'notable',
      'keep_from',
      'is_lookup',
    ],
    width: 1,
  },
  readTotalsRounds: { name: 'read_totals_rounds', parameters: keptRounds, width: 3 },
  listNotable: { name: 'list_notable', parameters: notablePage, width: 3 },
  findPlayers: {
    name: 'find_players',
    parameters: ['of_operator', 'of_round', 'at_most'],
    width: 1,
  },
  readTotals: { name: 'read_totals', parameters: quarters, width: 21 },
  sumTotals: { name: 'sum_totals', parameters: ['of_operator', 'bounds'], width: 21 },
  saveReconciliation: { name: 'save_reconciliation', parameters: saved, width: 1 },
  listReconciliations: { name: 'list_reconciliations', parameters: newest, width: 4 },
  saveMinute: { name: 'save_minute', parameters: minuteRow, width: 1 },
  listMinutes: { name: 'list_minutes', parameters: ['from_minute', 'to_minute'], width: 3 },
  lagEvents: { name: 'lag_events', parameters: ['of_operator'], width: 3 },
  forgetConsumer: {
    name: 'forget_consumer',
    parameters: [...writing, 'of_consumer', 'of_operators'],
    width: 1,
    isConfirmed,
  },
  forgetExpired: { name: 'forget_expired', parameters: ['at_most', 'from_us'], width: 2 },
} as const satisfies Record<string, StoreFunction>;

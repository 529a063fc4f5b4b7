import type { PostedCall } from '../../../lib/protocol/engine-api/read-request';
import { JsonText, type Writable, writeJson } from '../../../lib/protocol/json/write';

/** The kind of a field's value; {@link wrongOf} has what it must not be. */
export type Kind =
  | 'token'
  | 'round'
  | 'roundId'
  | 'id'
  | 'name'
  | 'amount'
  | 'currency'
  | 'filter'
  | 'flag'
  | 'texts'
  | 'betData'
  | 'jackpots'
  | 'object'
  | 'counterType'
  | 'gameState'
  | 'status'
  | 'spins'
  | 'payload'
  | 'data'
  | 'time'
  | 'sent'
  | 'endPoint'
  | 'count'
  | 'draws'
  | 'number';

/** A field of a body: its path, whether it is required, its kind and a right value as JSON. */
export interface Field {
  readonly path: string;
  readonly isRequired: boolean;
  readonly kind: Kind;
  readonly json: string;
}

const round = `
  token                                  R token       "token-1"
  gameRound                              R round       "round-1"`;

const draw = `
  rngResult                              R object
  rngResult/rngCallId                    O name        "draw-1"
  rngResult/result                       O payload     {"reels":[1,null,2.50]}
  rngResult/betData                      O texts       {"lines":"20"}`;

const start = `
  token                                  R token       "token-1"
  ${draw}
  rngResult/winAmount                    O amount      30
  debitInformation                       R object
  debitInformation/debitAmount           R amount      100
  debitInformation/currency              R currency    "EUR"
  debitInformation/useTicketInfo         O object
  debitInformation/useTicketInfo/useTicket R flag      true
  creditInformation                      O object
  creditInformation/creditAmount         R amount      30
  creditInformation/currency             R currency    "EUR"
  creditInformation/externalGameProviderTransactionId O id "credit-1"
  creditInformation/jackpotPayout        O jackpots    [{"jackpotId":"j","jackpotMode":"m"}]
  endGame                                R flag        true
  closeOpenGame                          O flag        false
  useJackpot                             O flag        false
  betData                                O betData     {"coins":"2"}`;

/** The fields of every call (C1). */
const tables: Readonly<Record<PostedCall, string>> = {
  startGameRound: `${start}
    debitInformation/externalGameProviderTransactionId O id "debit-1"
    externalGameProviderRoundId          O roundId     "round-1"`,
  startGameOrAddBet: `${start}
    debitInformation/externalGameProviderTransactionId R id "debit-1"
    externalGameProviderRoundId          R roundId     "round-1"`,
  addWin: `${round} ${draw}
    rngResult/winAmount                  R amount      250
    collect                              O flag        true
    externalGameProviderTransactionId    O id          "added-1"
    jackpotPayout                        O jackpots    [{"jackpotId":"j"}]`,
  endGameRound: `${round}
    externalGameProviderTransactionId    O id          "end-1"`,
  voidGameRound: `${round}
    externalGameProviderTransactionId    O id          "void-1"`,
  collectWin: `${round}
    amount                               O amount      20
    externalGameProviderTransactionId    O id          "collect-1"`,
  wagerWin: `${round} ${draw}
    rngResult/winAmount                  R amount      200
    wagerInformation                     R object
    wagerInformation/wagerAmount         R amount      100
    wagerInformation/winAmount           O amount      200
    wagerInformation/currency            R currency    "EUR"
    wagerInformation/status              O status      "won"
    wagerInformation/externalGameProviderTransactionId O id "wager-1"
    wagerInformation/jackpotPayout       O jackpots    [{"jackpotId":"j"}]`,
  addSpinCounterGameState: `${round}
    counterType                          R counterType "customspin"
    rngResult                            R object
    rngResult/rngCallId                  R name        "draw-1"
    rngResult/winAmount                  O amount      5
    rngResult/result                     R object
    rngResult/result/awarded             O spins       10
    rngResult/result/used                O spins       1
    gameStateResult                      R gameState   {"level":"2"}`,
  getGameRoundInfo: round,
  getGameRoundHistoryInfo: round,
  getUncollectedAmount: round,
  getAvailableSpinCounter: `${round}
    counterType                          R counterType "customspin"`,
  getTokenForGameRound: 'gameRound       R round       "round-1"',
  getBalance: 'token                     R token       "token-1"',
  getTokenData: 'token                   R token       "token-1"',
  getLastGameRounds: `token              R token       "token-1"
    count                                O count       10`,
  getPlayerData: `token                  R token       "token-1"
    currency                             O filter      "EUR"
    stake                                O amount      100`,
  setPlayerData: `token                  R token       "token-1"
    data                                 R object
    data/data                            R data        {"level":2.50,"x":null}
    data/currency                        O filter      "EUR"
    data/stake                           O amount      100
    data/updated                         O sent        "2026-03-01T12:00:00Z"
    data/expires                         O time        "2026-03-01T12:00:00.000Z"`,
  getRandomResult: `token                R token       "token-1"
    rngEndPoint                          R endPoint    "getDoubles"
    rngPayload                           R object
    rngPayload/max                       R number      1.5
    rngPayload/min                       O number      0.5
    rngPayload/count                     O draws       3`,
  testPing: 'testData                    R payload     {"hello":[null,1.0]}',
};

/** The fields of a call. */
export function fieldsOf(name: PostedCall): readonly Field[] {
  const lines = tables[name].split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [path = '', mark = '', kind = '', ...json] = line.trim().split(/\s+/);
      return { path, isRequired: mark === 'R', kind: kind as Kind, json: json.join(' ') };
    });
}

/** The calls. */
export const calls = Object.keys(tables) as PostedCall[];

/** A whole body of a call, with the JSON of one field replaced; null to leave it out. */
export function bodyOf(name: PostedCall, path = '', json: string | null = null): string {
  return bodyWith(name, (field) => (field.path === path ? json : field.json));
}

/** A body of a call with the JSON that each field is given; null leaves it out, and what is below it. */
export function bodyWith(name: PostedCall, jsonOf: (field: Field) => string | null): string {
  const root: Tree = new Map();
  const given = new Set<string>();
  for (const field of fieldsOf(name)) {
    const above = [...given].some((path) => field.path.startsWith(`${path}/`));
    const json = jsonOf(field);
    // Below a field that is left out, or has a value of its own, there is nothing.
    if (above) continue;
    if (json !== '') given.add(field.path);
    if (json !== null) put(root, field.path.split('/'), json);
  }
  return writeJson(written(root));
}

type Tree = Map<string, Tree | string>;

function put(tree: Tree, [first = '', ...rest]: readonly string[], json: string): void {
  if (rest.length === 0) {
    tree.set(first, json === '' ? new Map() : json);
    return;
  }
  const below = tree.get(first);
  if (below instanceof Map) put(below, rest, json);
}

function written(tree: Tree): Writable {
  return Object.fromEntries(
    [...tree].map(([key, value]) => {
      return [key, typeof value === 'string' ? new JsonText(value) : written(value)];
    }),
  );
}

const long = (length: number): string => JSON.stringify('x'.repeat(length));
const noText = ['7', 'true', '{}', '[]', '""'];
const noObject = ['7', 'true', '"x"', '[]'];
const control = String.raw`"a\u0007b"`;
const noId = [...noText, '"a#b"', control, String.raw`"\u009b"`];
const noSign = ['"+1"', '"-1"', '-1', '-0', '"-0"'];
const noInteger = ['1.5', '1.0', '1e2', '1E2', '"1.0"', '"1e2"', '"1,0"', '"0x1"', '"01"', '" 1"'];
const tooMuch = ['9007199254740992', '"9007199254740992"', '1e30', '"99999999999999999999"'];
const noWhole = ['-1', '-0', '1.5', '1.0', '1e1', '"1"', 'true', '{}', '[]'];
const jackpot = (count: number): string => `[${Array(count).fill('{"jackpotId":"j"}').join(',')}]`;

/** JSON that a field of each kind must not hold. */
export const wrongOf: Readonly<Record<Kind, readonly string[]>> = {
  token: [...noText, long(513)],
  round: [...noId, long(129), '"EUR"'],
  roundId: [...noId, long(33), '"EUR"'],
  id: [...noId, long(33)],
  name: [...noText, long(129)],
  amount: [...noSign, ...noInteger, ...tooMuch, 'true', '{}', '[]', '""'],
  currency: [...noText, '"eur"', '"EU"', '"EURO"', '"EU1"'],
  filter: ['7', 'true', '{}', '[]', '"eur"', '"EU"', '"EURO"'],
  flag: ['0', '1', '"yes"', '"TRUE"', '""', '{}', '[]'],
  texts: ['7', 'true', '"x"', '[]', '{"a":1}', '{"a":{}}'],
  betData: ['7', 'true', '[]', '{"a":1}', '{"a":[]}'],
  jackpots: [
    '7',
    '"x"',
    '{}',
    '[7]',
    '[null]',
    '[{}]',
    '[{"jackpotId":null}]',
    '[{"jackpotId":""}]',
    '[{"jackpotId":7}]',
    '[{"jackpotId":"j","jackpotMode":7}]',
    `[{"jackpotId":"j","jackpotMode":${long(65)}}]`,
    jackpot(51),
  ],
  object: noObject,
  counterType: [...noText, long(65)],
  gameState: ['7', 'true', '[]', long(4097), `{"a":${long(4096)}}`],
  status: ['7', 'true', '{}', '[]', long(65)],
  spins: [...noWhole, '1000001'],
  payload: [],
  data: [long(65_536), `{"a":${long(65_531)}}`],
  time: [...noText, '"tomorrow"', '"2026-02-30T12:00:00Z"', '"2026-03-01"', long(41)],
  sent: ['7', 'true', '{}', '[]', long(41)],
  endPoint: [...noText, '"getFloats"'],
  count: [...noWhole, '0', '101'],
  draws: [...noWhole, '0', '10001'],
  number: ['"1"', 'true', '{}', '[]', '1e999'],
};

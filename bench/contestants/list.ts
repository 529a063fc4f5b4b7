import type { Contestant } from './contestant';
import { expressPostgres, expressPostgresEntries } from './express-postgres';
import { expressRedis } from './express-redis';
import {
  limitedPostgres,
  listingPostgres,
  loadingPostgres,
  routerLedger,
  routerPostgres,
  tellingPostgres,
  totallingPostgres,
} from './kit-postgres';
import { routerOwnTables } from './kit-own-tables';
import {
  handlerRedis,
  limitedRedis,
  listingRedis,
  loadingRedis,
  rememberingRedis,
  routerListenRedis,
  routerRedis,
  serveRedis,
  serveRemembering,
  tellingRedis,
  totallingRedis,
} from './kit-redis';
import { limit } from './limit';

/** The contestants, by the letter that names them on the command line and in the table. */
export const contestants: Readonly<Record<string, Contestant>> = {
  a: limit,
  b: handlerRedis,
  c: routerRedis,
  d: serveRedis,
  e: expressRedis,
  f: expressPostgres,
  g: routerPostgres,
  h: routerLedger,
  i: routerListenRedis,
  j: tellingRedis,
  k: tellingPostgres,
  l: loadingRedis,
  m: loadingPostgres,
  n: listingRedis,
  o: listingPostgres,
  p: routerOwnTables,
  q: expressPostgresEntries,
  r: rememberingRedis,
  s: serveRemembering,
  t: totallingRedis,
  u: totallingPostgres,
  v: limitedRedis,
  w: limitedPostgres,
};

/** The one that the others are held against. */
export const reference = 'e';

/** Whom each is held against: who does the same with other means, by hand or without what is measured. */
export const rivals: Readonly<Record<string, string>> = {
  b: 'a',
  c: 'e',
  d: 'a',
  g: 'f',
  h: 'f',
  i: 'e',
  j: 'b',
  k: 'g',
  l: 'a',
  m: 'f',
  n: 'b',
  o: 'g',
  p: 'q',
  r: 'b',
  s: 'd',
  t: 'b',
  u: 'g',
  v: 'b',
  w: 'g',
};

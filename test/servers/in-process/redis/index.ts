export { type Carry, clientOf, type SentCommand } from './client';
export { type Reply, ReplyError } from './reply';
export { RedisModel } from './server';

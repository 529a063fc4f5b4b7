export {
  createRedisStore,
  initRedis,
  type RedisInitReport,
  type RedisStoreOptions,
} from './create-store';
export type {
  RedisArgument,
  RedisClient,
  RedisClusterClient,
  RedisPipeline,
  RedisStream,
} from './client/port';

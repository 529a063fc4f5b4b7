import { findRedisServer } from './redis-binary';

/** Jest global set-up, run once before the workers start: finds a Redis, and tells the workers where it is. */
export default async function globalSetup(): Promise<void> {
  process.env['REDIS_SERVER'] = await findRedisServer();
}

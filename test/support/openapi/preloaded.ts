import { join } from 'node:path';

/** What a process of Node is started with, so that its messages are held against the documents. */
export const preloaded = {
  args: ['--require', join(__dirname, 'preload.js')],
  env: { TEST_MESSAGES: process.env['TEST_MESSAGES'] ?? '' },
} as const;

import express from 'express';

/** An Express 5 app as all contestants have it: without x-powered-by, and without an ETag over each reply. */
export function createApp(): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  return app;
}

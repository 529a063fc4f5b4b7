export { Background } from './background';
export {
  BodyConsumedError,
  BodyRefusedError,
  hasUnreadBody,
  readBody,
  readBytes,
} from './read-body';
export { originForm, pathOf, type RequestListener, type Route } from './routes';
export { RequestTurns } from './request-turns';
export {
  canAnswer,
  cutUnreadBody,
  type JsonAnswer,
  ReplyLostError,
  sendJson,
} from './send-json';
export { type Middleware, middlewareOf, mount, type Mounted, routeOf } from './mount';
export { Endpoint, noBody, ServedCall } from './endpoint';
export type { MemoryFetch, PlainReply, PlainRequest } from './memory-server';

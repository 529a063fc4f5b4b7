export { Background } from './background';
export { callHook } from './call-hook';
export {
  BodyConsumedError,
  BodyRefusedError,
  hasUnreadBody,
  readBody,
  readBytes,
} from './read-body';
export { originForm, pathOf, type RequestListener, type Route, Routes } from './routes';
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
export {
  createMemoryExchange,
  type MemoryExchange,
  type PlainReply,
  type PlainRequest,
  createMemoryFetch,
  type MemoryFetch,
} from './memory-server';
export { createLocalExchange } from './local-exchange';
export { fetchWhole } from './fetch-whole';

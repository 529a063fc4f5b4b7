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
export { canAnswer, cutUnreadBody, type JsonAnswer, sendJson } from './send-json';
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

export { createGameEngineClient, type EngineMethods, type GameEngineClient } from './create-client';
export type { GameEngineClientOptions } from './options';

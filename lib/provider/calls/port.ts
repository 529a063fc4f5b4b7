import type { CallOptions } from '../../protocol/client';
import type { EngineCall, EngineReplies } from '../../protocol/engine-api';
import type { EngineInputs } from './requests';

/** Makes a call at the RGS. Rejects with an EngineClientError. */
export type EngineCaller = <Name extends EngineCall>(
  name: Name,
  request: EngineInputs[Name],
  options?: CallOptions,
) => Promise<EngineReplies[Name]>;

import type {
  ConnectReply,
  EngineReplies,
  FreePlays,
  RoundReply,
  TokenData,
} from '../../../protocol/engine-api/replies';
import type { EngineCall } from '../../../protocol/engine-api/requests';
import { ExactNumber } from '../../../protocol/json/write';
import type { OptionalMember } from '../core/options';

type Reply = EngineReplies[EngineCall] | ConnectReply;

/**
 * The reply with the members that a remote game server may send and this one has no use for, so that a client
 * meets them (C2, E14.5). Their values mean nothing.
 */
export function withOptionalMembers<R extends Reply>(
  names: ReadonlySet<OptionalMember>,
  reply: R,
): R {
  const parts = reply as Partial<RoundReply>;
  const { tokenData, gameRoundInfo } = parts;
  const hash = gameRoundInfo?.hash ?? '';
  const extra: Partial<RoundReply> = {
    ...(tokenData === undefined ? {} : { tokenData: withDraw(names, tokenData) }),
    ...(parts.freePlaysAvailable === undefined ? {} : freePlaysWith(names, parts as FreePlays)),
  };
  if (gameRoundInfo === undefined) return { ...reply, ...extra };
  const further = { commonRoundHash: `common-${hash}` };
  return {
    ...reply,
    ...extra,
    gameRoundInfo: names.has('commonRoundHash') ? { ...gameRoundInfo, further } : gameRoundInfo,
    ...(names.has('promoWinInfo')
      ? { further: { promoWinInfo: { referenceId: `promotion-${hash}` } } }
      : {}),
  };
}

function withDraw(names: ReadonlySet<OptionalMember>, tokenData: TokenData): TokenData {
  if (!names.has('commonDraw')) return tokenData;
  return { ...tokenData, further: { commonDraw: 'draw-1' } };
}

function freePlaysWith(
  names: ReadonlySet<OptionalMember>,
  { freePlayInfo: info, freePlaysAvailable }: FreePlays,
): FreePlays {
  const promotions = { protocolVersion: new ExactNumber('1'), data: '{}' };
  const hasPromotions = info !== null && names.has('promotions');
  return {
    freePlayInfo: hasPromotions ? { ...info, further: { promotions } } : info,
    freePlaysAvailable: names.has('feature')
      ? freePlaysAvailable.map((one) => ({ ...one, feature: 'base' }))
      : freePlaysAvailable,
  };
}

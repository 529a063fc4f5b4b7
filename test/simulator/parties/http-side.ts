import type { Call } from '../../../lib/protocol/operator-api/transaction';
import { type Answer, cut, timeOut } from '../../../lib/rgs/settlement/answer';
import { attackOn, type Captured } from '../http/attacks';
import type { HttpReply, HttpRequest } from '../http/message';
import { ServiceLine } from '../http/service-line';
import type { AttackKind } from '../plan/attack-kinds';
import type { Act } from '../plan/types';
import type { Chance } from '../world/chance';
import type { World } from '../world/scheduler';
import type { Fleet } from './fleet';
import type { ServiceLines } from './service';
import { firstSecrets } from './wallet';

/** What the secret of the service is rotated to, and back from. */
const secondSecret = 'the second secret of acme';

/** Requests that an attacker remembers. */
const maxCaptured = 64;
/** Milliseconds until everything that was signed with the old secret has arrived, or never will. */
const drainedMs = 12_000;
/** What a service, or a person who looks at a balance, waits for an answer. */
const patienceMs = 5000;
const attackerPauseMs = 31_000;

/** What happens on the HTTP lines beside the calls of rounds: balances, rotations, attacks. */
export class HttpSide implements ServiceLines {
  /** Questions, rotations and attacks that are not over. */
  underWay = 0;
  private readonly line: ServiceLine;
  private readonly captured: Captured[] = [];
  private readonly sending = new Map<Call, { chance: Chance; patienceMs: number }>();
  private dropped: string | null = null;
  private accepted: readonly string[] = firstSecrets;

  constructor(
    private readonly world: World,
    private readonly fleet: Fleet,
  ) {
    this.line = new ServiceLine(
      world,
      (request, call) => this.carry(request, call),
      firstSecrets[0] ?? '',
    );
  }

  /** Does all of these that are of HTTP, each at its time. */
  begin(acts: readonly Act[]): void {
    for (const act of acts) {
      if (act.do !== 'ask' && act.do !== 'rotate' && act.do !== 'attack') continue;
      this.underWay += 1;
      this.world.clock.after(act.atMs, () => {
        const work =
          act.do === 'rotate'
            ? this.rotate()
            : act.do === 'ask'
              ? this.ask(act.player)
              : this.attack(act.kind, act.pick);
        this.world.watch(work.finally(() => (this.underWay -= 1)));
      });
    }
  }

  /** A call of the service, signed by its client. */
  async send(call: Call, chance: Chance, patience: number): Promise<Answer> {
    this.sending.set(call, { chance, patienceMs: patience });
    const answer = await this.line.call(call);
    this.sending.delete(call);
    return answer;
  }

  private async carry(request: HttpRequest, call: Call | null): Promise<HttpReply | null> {
    const captured = this.listen(request);
    const known = call === null ? undefined : this.sending.get(call);
    const playerId = call?.playerId ?? playerOf(request);
    const chance = known?.chance ?? this.world.chanceOf(playerId);
    const reply = await this.fleet.send<HttpReply>(
      { playerId, take: (process, arriving) => process.take(request, arriving, call, playerId) },
      chance,
      known?.patienceMs ?? patienceMs,
    );
    if (reply === timeOut || reply === cut) return null;
    captured.isProcessed = (reply as HttpReply).status === 200;
    return reply as HttpReply;
  }

  private listen(request: HttpRequest): Captured {
    const captured: Captured = { request, signedAt: this.world.clock.now(), isProcessed: false };
    if (this.captured.push(captured) > maxCaptured) this.captured.shift();
    return captured;
  }

  private async ask(player: number): Promise<void> {
    const balance = await this.line.balance(`p${player}`);
    this.world.tell(['ask', player, balance ?? -1], () => `p${player} has ${balance}`);
  }

  /** Both secrets are accepted, the service changes to the new one, the old one is accepted no more (D1.2). */
  private async rotate(): Promise<void> {
    const [old = ''] = this.accepted;
    const next = old === secondSecret ? (firstSecrets[0] ?? '') : secondSecret;
    if (this.accepted.length > 1) return;
    this.world.count('secret rotated');
    await this.renew([old, next]);
    this.line.signWith(next);
    await this.world.clock.pause(drainedMs);
    await this.renew([next]);
    this.dropped = old;
  }

  private async renew(accepted: readonly string[]): Promise<void> {
    this.accepted = accepted;
    // While the old one comes back, it is not what was dropped.
    this.dropped = null;
    await this.fleet.renew(accepted);
  }

  private async attack(kind: AttackKind, pick: number): Promise<void> {
    const { clock } = this.world;
    const captured = this.captured[pick % Math.max(1, this.captured.length)];
    if (captured === undefined) return;
    if (kind === 'stale' || kind === 'dropped secret') await clock.pause(attackerPauseMs);
    const { dropped } = this;
    const attack = attackOn(kind, captured, { now: clock.now(), pick, dropped });
    if (attack === null) return;
    const { request, isForged, statuses } = attack;
    const reply = await this.fleet.sneak({
      playerId: playerOf(request),
      take: (process, arriving) => process.takeForeign(request, arriving),
    });
    const status = reply?.status ?? 0;
    this.world.tell([kind, status], () => `attack: ${kind}: ${status}`);
    if (reply === null || (kind === 'dropped secret' && dropped !== this.dropped)) return;
    this.world.count(isForged ? `attack: ${kind}` : 'replayed bytes');
    if (!isForged) return;
    const isAccepted = status < 300 || (statuses !== null && !statuses.includes(status));
    if (isAccepted) this.world.fail('D1', `${kind}: ${status}, ${String(request.body)}`);
  }
}

/** The player that a request names; an attacker may have changed that. */
function playerOf({ target, body }: HttpRequest): string {
  return /"?playerId"?[=:]"?([\w-]+)/.exec(`${target} ${body.toString()}`)?.[1] ?? '';
}

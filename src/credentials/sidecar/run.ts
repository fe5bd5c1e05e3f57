// A sidecar's life: ask for a token, write it, wait until it is about to end, again (§11.4). Nothing but its signal ends it: what goes wrong
// is told, the files that are there stay, and half a minute later it is tried again.
import type { Clock } from '#base'
import type { ObjectKey } from '#kube'
import { type KubeClient, tokenLifeMs } from '#kube/client'
import { audience } from '#operators/identity/api'
import { type SidecarFiles, type SidecarPaths, writeSidecarFiles } from './files.ts'
import { annotatedRole, ownAccount } from './identity.ts'
import { sidecarSessionName } from './session-name.ts'

export type SidecarClient = Pick<KubeClient, 'address' | 'create' | 'get' | 'requestToken'>

export interface SidecarOptions {
  readonly paths: SidecarPaths
  readonly files: SidecarFiles
  readonly clock: Clock
  /** Loads the kubeconfig; asked again only while it fails. */
  readonly connect: () => Promise<SidecarClient>
  /** Told of each trouble. */
  readonly onTrouble: (error: unknown) => void
  /** Told whenever the files are fresh, and for how long they are left alone. */
  readonly onWritten?: (waitMs: number) => void
}

/** The least that an API server grants, so that a token that leaks is soon worth nothing. */
const tokenSeconds = 600
/** So much of a token's life is left when it is replaced: an SDK that read it a while ago can still use it. */
const leftMs = 9 * 60_000
/** After a failure, and where a token would have to be replaced at once. */
const retryMs = 30_000

/** Resolves when the signal aborts, and only then. */
export async function runSidecar(options: SidecarOptions, signal: AbortSignal): Promise<void> {
  const { clock, onTrouble, onWritten } = options
  const refresh = refresher(options)
  while (!signal.aborted) {
    let waitMs = retryMs
    try {
      waitMs = await refresh(signal)
      onWritten?.(waitMs)
    } catch (error) {
      if (!signal.aborted) onTrouble(error)
    }
    await clock.sleep(waitMs, signal).catch(() => undefined)
  }
}

interface Identity {
  readonly client: SidecarClient
  readonly account: ObjectKey
}

/** One round; answers how long its token is left alone. Who we are is found out once. */
function refresher({ connect, clock, files, paths }: SidecarOptions): (signal: AbortSignal) => Promise<number> {
  let client: SidecarClient | undefined
  let identity: Identity | undefined
  const identify = async (signal: AbortSignal): Promise<Identity> => {
    client ??= await connect()
    return { client, account: await ownAccount(client, signal) }
  }
  return async signal => {
    identity ??= await identify(signal)
    const { client: asked, account } = identity
    const roleArn = await annotatedRole(asked, account, signal)
    const spec = { audiences: [audience], expirationSeconds: tokenSeconds }
    const { token, expirationTimestamp } = await asked.requestToken(account, spec, { signal })
    const endsAt = Date.parse(expirationTimestamp)
    if (Number.isNaN(endsAt)) throw new Error('the cluster gave a token and did not say when it ends')
    if (token === '') throw new Error('the cluster gave an empty token')
    await writeSidecarFiles(files, paths, { token, roleArn, sessionName: sidecarSessionName(asked.address, account) })
    return waitFor(endsAt - clock.now(), tokenLifeMs(token))
  }
}

/** A clock of ours that is behind the server's must not have us wait for longer than the token says that it lives. */
function waitFor(leftByClockMs: number, lifeMs = Number.POSITIVE_INFINITY): number {
  const waitMs = Math.min(leftByClockMs, lifeMs) - leftMs
  return waitMs > 0 ? waitMs : retryMs
}

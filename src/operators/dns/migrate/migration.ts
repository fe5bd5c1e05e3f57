// When objects are moved to the version that is stored now: at the start of each term of the leader, soon again while something is in the way,
// and every few minutes, since a definition may be applied after its operator.
import type { Clock, Log } from '#base'
import { type KubeClient, KubeError } from '#kube/client'
import { type Companion, pause } from '#runtime'
import { migrateStored } from './migrate.ts'

export interface MigrationOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly log: Log
}

/** All API servers of a cluster follow a changed definition by then; one that lags would store as before. */
const settledMs = 30_000
/** Something was in the way: a webhook that does not answer yet, a definition that was just changed. */
const againMs = 60_000
/** Reading one object is cheap; an hour would keep an old version in the definition for no reason. */
const restMs = 300_000

export function storageMigration(options: MigrationOptions): Companion {
  return {
    name: 'storage-migration',
    run: async (_context, signal) => {
      for (let delayMs: number | undefined = settledMs; delayMs !== undefined; )
        delayMs = (await pause(options.clock, delayMs, signal)) ? await tryOnce(options, signal) : undefined
    },
  }
}

/** When to look again; undefined for never. */
async function tryOnce({ client, log }: MigrationOptions, signal: AbortSignal): Promise<number | undefined> {
  try {
    const migrated = await migrateStored(client, signal)
    if (migrated.kind === 'done' && migrated.objects > 0)
      log.info('all objects are stored in the version of today', { ...migrated })
    if (migrated.kind === 'left')
      log.info('objects that the API server does not take stay stored in another version', { refused: migrated.refused })
    return restMs
  } catch (error) {
    if (signal.aborted) return undefined
    log.info('objects are not yet stored in the version of today', { error: String(error) })
    // Manifests of another release: nobody gives this right while the process runs.
    return error instanceof KubeError && error.reason === 'Forbidden' ? undefined : againMs
  }
}

// The zones of a process: those of the flag first, then those of the file.
import type { Seams } from '#base'
import { mergeZones } from './parse-zones.ts'
import type { RegisteredZone } from './registry.ts'
import { readZoneFile } from './zone-file.ts'
import { Zones } from './zones.ts'

export interface ZoneSources {
  readonly zones: readonly RegisteredZone[]
  readonly file: string | undefined
}

export interface OpenZones {
  readonly zones: Zones
  /** Reads the file again. Throws `ZoneError` for what cannot be, and leaves everything as it is. */
  reload(): Promise<boolean>
}

/** Throws `ZoneError` where there is no zone, or one that cannot be. */
export async function openZones(
  { zones: flag, file }: ZoneSources,
  { files, log }: Pick<Seams, 'files' | 'log'>,
): Promise<OpenZones> {
  const warn = (message: string): void => log.warn(message)
  const read = async (): Promise<readonly RegisteredZone[]> => {
    const ofFile = file === undefined ? [] : await readZoneFile(files, file)
    return mergeZones([...flag, ...ofFile], file === undefined ? '--dns-zones' : '--zone-config-file', warn)
  }
  let known = await read()
  const zones = new Zones(known)
  return {
    zones,
    reload: async () => {
      const found = await read()
      if (JSON.stringify(found) === JSON.stringify(known)) return false
      known = found
      zones.replace(found)
      return true
    },
  }
}

// Reads what the choice of a place depends on: role mappings only when the claim's account is another, selectors from the cache.

import { given } from '#base'
import { configMaps, type KubeObject } from '#kube'
import type { Reads } from '#runtime'
import type { Resource } from '../api.ts'
import type { Equipment } from '../equipment.ts'
import { needsRoleMaps, type PlaceChoice, type PlaceInput, type RoleMaps, selectPlace } from './select-place.ts'

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

interface Context {
  readonly claim: Resource
  readonly namespaceAnnotations: Readonly<Record<string, string>>
  readonly reads: Reads
  readonly signal: AbortSignal
}

const noMaps: RoleMaps = { accounts: undefined, teams: undefined }

export async function choosePlace(equipment: Equipment, context: Context): Promise<PlaceChoice> {
  const { settings, model } = equipment
  const { claim, namespaceAnnotations, reads } = context
  const selectors = settings.gates.IAMRoleSelector ? equipment.matchingSelectors(reads, claim) : undefined
  const input: Omit<PlaceInput, 'maps'> = {
    claim,
    service: model.service.alias,
    namespaceAnnotations,
    home: settings.home,
    carm: settings.carm,
    serviceLevelCarm: settings.gates.ServiceLevelCARM,
    teamLevelCarm: settings.gates.TeamLevelCARM,
    ...(model.kind.settings.regionInSpec === true ? { regionInSpec: true } : {}),
    ...given({ selectors }),
  }
  const maps = needsRoleMaps(input) ? await readMaps(equipment, context) : noMaps
  return selectPlace({ ...input, maps })
}

/** From the server: a mapping that was just added must not wait for a cache, and hardly any claim needs one. */
async function readMaps({ settings }: Equipment, { reads, signal }: Context): Promise<RoleMaps> {
  const read = async (name: string): Promise<RoleMaps['accounts']> =>
    (await reads.read<ConfigMap>(configMaps, { namespace: settings.systemNamespace, name }, signal))?.data
  const [accounts, teams] = [
    await read('ack-role-account-map'),
    settings.gates.TeamLevelCARM ? await read('ack-role-team-map') : undefined,
  ]
  return { accounts, teams }
}

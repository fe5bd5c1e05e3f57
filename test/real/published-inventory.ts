// The CRDs that the projects of the inventory and of placements publish, where they are here; ours, with the fields that are read, otherwise.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusterProfileKind, placementDecisionKind, placementKind } from '#fleet'
import { renderCrd } from '#kube'

export interface PublishedCrd {
  readonly name: string
  /** YAML, or JSON, which is YAML as well. */
  readonly text: string
}

const folder = join(process.env['VOUCH_SHARED'] ?? join(import.meta.dirname, '../../../shared'), 'kubernetes/crds')
const ours = {
  'multicluster.x-k8s.io_clusterprofiles.yaml': renderCrd(clusterProfileKind),
  'clusters.open-cluster-management.io_placements.yaml': renderCrd(placementKind),
  'clusters.open-cluster-management.io_placementdecisions.yaml': renderCrd(placementDecisionKind),
}

export function publishedInventory(): readonly PublishedCrd[] {
  return Object.entries(ours).map(([name, crd]) => {
    const file = join(folder, name)
    return { name, text: existsSync(file) ? readFileSync(file, 'utf8') : JSON.stringify(crd) }
  })
}

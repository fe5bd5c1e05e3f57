// What scripts and disturbances are made of: requests by users and strangers, at an instant of the scheduler's choosing.
import { given } from '#base'
import type { KubeObject } from '#kube'
import type { Deed, World } from '#simulator'

/** When a deed may happen: `afterMs` of virtual time, or at any step where it is offered as a fault. */
type When = number | undefined

/** Where a request goes. `server` is the hub when absent. */
export interface Place {
  readonly server?: string
  readonly path: string
}

export function deed(label: string, touches: string | undefined, afterMs: When, run: (world: World) => Promise<unknown>): Deed {
  return {
    label,
    ...given({ touches, afterMs }),
    run: async world => void (await run(world)),
  }
}

/** A user makes an object, and tries again while the one that had the name before is still terminating. */
export function creates(label: string, { server = 'hub', path }: Place, body: unknown, afterMs: number): Deed {
  const name = (body as KubeObject).metadata.name ?? ''
  const run = async (world: World): Promise<void> => {
    const { status } = await world.act(server, 'POST', path, body)
    if (status === 409) world.parkDeed({ label: `${label} again`, afterMs: 3_000, run })
  }
  return deed(label, `${path}/${name}`, afterMs, run)
}

/** Somebody makes an object if its name is free at that moment. */
export function puts(label: string, { server = 'hub', path }: Place, body: KubeObject, afterMs: When): Deed {
  return deed(label, `${path}/${body.metadata.name}`, afterMs, world => world.act(server, 'POST', path, body))
}

/** A merge patch. */
export function edits(label: string, { server = 'hub', path }: Place, patch: unknown, afterMs: When): Deed {
  return deed(label, path, afterMs, world => world.act(server, 'PATCH', path, patch, 'application/merge-patch+json'))
}

export function removes(label: string, { server = 'hub', path }: Place, afterMs: When): Deed {
  return deed(label, path, afterMs, world => world.act(server, 'DELETE', path))
}

/** Somebody who is no replica holds the lease, does not renew it, and whoever led has to wait until it has run out. */
export function takesLease(namespace: string, name: string, leaseMs: number): Deed {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`
  const spec = { holderIdentity: 'somebody', leaseDurationSeconds: leaseMs / 1_000 }
  return edits('take the lease', { path }, { spec }, undefined)
}

/**
 * A namespace is deleted as its controller does it: terminating first, then emptied of what has a path by `pathOf`, then gone; and after a
 * while it is made again (F17).
 */
export function tearsDown(namespace: string, pathOf: (object: KubeObject) => string | undefined, server: string = 'hub'): Deed {
  const target = `/api/v1/namespaces/${namespace}`
  const named = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
  const again = async (world: World): Promise<void> => void (await world.act(server, 'POST', '/api/v1/namespaces', named))
  const empty = async (world: World): Promise<void> => {
    for (const object of world.objects(server)) {
      const path = object.metadata.namespace === namespace ? pathOf(object) : undefined
      if (path !== undefined) await world.act(server, 'DELETE', path)
    }
    await world.act(server, 'PUT', `${target}/finalize`, { ...named, spec: {} })
    world.parkDeed({ label: `make ${namespace} again`, afterMs: 20_000, run: again })
  }
  return deed(`tear down ${namespace}`, target, undefined, async world => {
    const { status } = await world.act(server, 'DELETE', target)
    if (status < 300) world.parkDeed({ label: `empty ${namespace}`, afterMs: 15_000, run: empty })
  })
}

// An API server that has thousands of Certs which are Ready already.
import { type ApiServer, createApiServer } from '#apiserver'
import type { Clock } from '#base'
import { type KubeObject, renderCrd } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { certKind } from '#operators/certificates'
import { arnOf, heldRecordOf, zone } from './ready-cloud.ts'

export interface ReadyCerts {
  readonly server: ApiServer
  readonly admin: KubeClient
}

export async function readyCerts(count: number, clock: Clock): Promise<ReadyCerts> {
  const server = createApiServer({ clock, objects: [renderCrd(certKind)] })
  const admin = createKubeClient({ clock, address: 'bench', exchange: server.as() })
  for (let index = 0; index < count; index++) {
    await admin.create(certKind.type, certOf(index))
    const record = { ...heldRecordOf(index), type: 'CNAME', zoneId: zone.id, phase: 'InSync', domainStatus: 'SUCCESS' }
    const shown = { certificateArn: arnOf(index), validationRecords: [record] }
    const status = { state: 'Ready', certReady: true, observedGeneration: 1, ...shown }
    const key = { namespace: 'default', name: `cert-${index}` }
    await admin.patch(certKind.type, key, 'merge', { status }, { subresource: 'status' })
  }
  return { server, admin }
}

export function certOf(index: number): KubeObject {
  const name = `cert-${index}`
  const spec = { serviceName: name, environment: 'prod' }
  return { apiVersion: certKind.apiVersion, kind: 'Cert', metadata: { namespace: 'default', name }, spec } as KubeObject
}

export async function versionsOf(admin: KubeClient): Promise<ReadonlyMap<string, string>> {
  const { items } = await admin.listAll(certKind.type)
  return new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]))
}

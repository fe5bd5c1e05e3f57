// Metadata that is wrong in an update is told once by each part of a real server that looks at it: how often depends on the kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { answerTo, ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const containers = [{ name: 'c', image: 'i' }]
const template = { metadata: { labels: { app: 'a' } }, spec: { containers } }
const never = { template: { spec: { containers, restartPolicy: 'Never' } } }
const inDefault = (resource: string, version: string): string => `/apis/${version}/namespaces/default/${resource}`

interface Kind {
  readonly path: string
  readonly content?: object
  readonly times: number
  /** For those that have a status. */
  readonly inStatus?: number
}

const kinds: Readonly<Record<string, Kind>> = {
  ReplicationController: {
    path: '/api/v1/namespaces/default/replicationcontrollers',
    content: { spec: { selector: { app: 'a' }, template } },
    times: 4,
    inStatus: 3,
  },
  Deployment: {
    path: inDefault('deployments', 'apps/v1'),
    content: { spec: { selector: { matchLabels: { app: 'a' } }, template } },
    times: 3,
  },
  Job: { path: inDefault('jobs', 'batch/v1'), content: { spec: never }, times: 4, inStatus: 3 },
  CronJob: {
    path: inDefault('cronjobs', 'batch/v1'),
    content: { spec: { schedule: '* * * * *', jobTemplate: { spec: never } } },
    times: 3,
    inStatus: 2,
  },
  Ingress: {
    path: inDefault('ingresses', 'networking.k8s.io/v1'),
    content: { spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } } } },
    times: 4,
    inStatus: 3,
  },
  IngressClass: { path: '/apis/networking.k8s.io/v1/ingressclasses', content: { spec: { controller: 'a.b/c' } }, times: 4 },
  NetworkPolicy: { path: inDefault('networkpolicies', 'networking.k8s.io/v1'), content: { spec: {} }, times: 4 },
  PersistentVolumeClaim: {
    path: '/api/v1/namespaces/default/persistentvolumeclaims',
    content: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
    times: 5,
    inStatus: 3,
  },
  StorageClass: { path: '/apis/storage.k8s.io/v1/storageclasses', content: { provisioner: 'a/b' }, times: 4 },
  Namespace: { path: '/api/v1/namespaces', times: 4, inStatus: 3 },
  Node: { path: '/api/v1/nodes', times: 4, inStatus: 3 },
  RuntimeClass: { path: '/apis/node.k8s.io/v1/runtimeclasses', content: { handler: 'h' }, times: 4 },
  ControllerRevision: { path: inDefault('controllerrevisions', 'apps/v1'), content: { revision: 1, data: { a: 1 } }, times: 4 },
  PodDisruptionBudget: { path: inDefault('poddisruptionbudgets', 'policy/v1'), times: 2, inStatus: 2 },
}

for (const [kind, { path, content = {}, times, inStatus }] of Object.entries(kinds))
  test(`a label of a ${kind} that cannot be one is told ${times} times when it is updated`, async () => {
    const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
    const [, , group = '', version = ''] = path.startsWith('/apis/') ? path.split('/') : ['', '', '', 'v1']
    const apiVersion = group === '' ? version : `${group}/${version}`
    assert.equal((await ask(server, 'POST', path, { apiVersion, kind, metadata: { name: 'x' }, ...content })).status, 201)
    const object = await answerTo(server, 'GET', `${path}/x`)
    const wrong = { ...object, metadata: { ...object.metadata, labels: { a: '-' } } }
    const causes = async (of: string): Promise<number> =>
      (await ask(server, 'PUT', `${path}/x${of}`, wrong)).body.details.causes.length
    assert.equal(await causes(''), times)
    if (inStatus !== undefined) assert.equal(await causes('/status'), inStatus)
    await server.close()
  })

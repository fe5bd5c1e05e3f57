// Objects of built-in kinds whose lists and texts are dear to check: each was compared with each, or told for each, or read again and again.
import { after } from 'node:test'
import { createApiServer } from '../create-api-server.ts'
import { answersInTime, type CostlyRow, filled, times } from './costly.fixture.ts'

const pods = '/api/v1/namespaces/default/pods?dryRun=All'
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
const jobs = '/apis/batch/v1/namespaces/default/jobs'
const volumes = '/api/v1/persistentvolumes'

const object = (apiVersion: string, kind: string, rest: string): string =>
  `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"},${rest}}`
const pod = (rest: string, ofContainer = ''): string =>
  object('v1', 'Pod', `"spec":{"containers":[{"name":"a","image":"b"${ofContainer}}]${rest}}`)
const volume = (source: string): string =>
  object('v1', 'PersistentVolume', `"spec":{"accessModes":["ReadWriteOnce"],"capacity":{"storage":"1"},${source}}`)
const webhook = (rest: string, versions = ''): string => {
  const fixed = `"name":"a.b.c","sideEffects":"None","admissionReviewVersions":["v1"${versions}],"clientConfig":{"url":"https://a"}`
  return object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', `"webhooks":[{${fixed}${rest}}]`)
}
const rule = (resources: string): string =>
  `,"rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":[${resources}]}]`
const job = (codes: string): string => {
  const template = '"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}'
  const onExitCodes = `{"operator":"In","values":[${codes}]}`
  return object(
    'batch/v1',
    'Job',
    `"spec":{${template},"podFailurePolicy":{"rules":[{"action":"FailJob","onExitCodes":${onExitCodes}}]}}`,
  )
}
const affinity = (term: string): string =>
  `,"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"a","labelSelector":{},${term}}]}}`
const definition = (schema: string): string => {
  const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":${schema}}}}}`
  const spec = `"spec":{"group":"e.com","scope":"Namespaced","names":{"plural":"a","kind":"A"},"versions":[${version}]}`
  return object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', spec)
}
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const rows: Readonly<Record<string, CostlyRow>> = {
  '25,000 files of a secret': {
    body: pod(
      `,"volumes":[{"name":"v","secret":{"secretName":"a","items":[${times(25_000, i => `{"key":"a","path":"p${i}"}`)}]}}]`,
    ),
  },
  'a path of a million slashes': {
    body: pod(`,"volumes":[{"name":"v","secret":{"secretName":"a","items":[{"key":"a","path":"${filled('/')}a"}]}}]`),
  },
  '9,000 spreads': {
    body: pod(
      `,"topologySpreadConstraints":[${times(9_000, i => `{"maxSkew":1,"topologyKey":"k${i}","whenUnsatisfiable":"DoNotSchedule"}`)}]`,
    ),
  },
  '80,000 label keys that match, or do not': {
    body: pod(
      affinity(`"matchLabelKeys":[${times(40_000, i => `"a${i}"`)}],"mismatchLabelKeys":[${times(40_000, i => `"b${i}"`)}]`),
    ),
  },
  '20,000 ports of one number': {
    body: pod('', `,"ports":[${times(20_000, i => `{"containerPort":1,"hostPort":${i + 1},"hostIP":"1.2.3.4"}`)}]`),
  },
  '25,000 claims of one device': {
    body: pod('', `,"resources":{"claims":[${times(25_000, i => `{"name":"a","request":"r${i}"}`)}]}`),
  },
  'a path of a field with a third of a million keys': {
    body: pod('', `,"env":[{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"${filled("a['")}"}}}]`),
  },
  'an address of a million digits': { body: pod(`,"hostAliases":[{"ip":"${filled('1')}"}]`) },
  '25,000 tolerations of a class of runtime': {
    target: '/apis/node.k8s.io/v1/runtimeclasses',
    body: object(
      'node.k8s.io/v1',
      'RuntimeClass',
      `"handler":"a","scheduling":{"tolerations":[${times(25_000, i => `{"key":"k${i}","operator":"Exists"}`)}]}`,
    ),
  },
  '100,000 topologies that say nothing': {
    target: '/apis/storage.k8s.io/v1/storageclasses',
    body: object('storage.k8s.io/v1', 'StorageClass', `"provisioner":"a","allowedTopologies":[${times(100_000, () => '{}')}]`),
  },
  'half a million hosts of a volume': {
    target: volumes,
    body: volume(`"quobyte":{"volume":"a","registry":"${filled('a,')}"}`),
  },
  '300,000 expressions of a selector that say nothing': {
    target: '/apis/apps/v1/namespaces/default/replicasets',
    body: object('apps/v1', 'ReplicaSet', `"spec":{"selector":{"matchExpressions":[${times(300_000, () => '{}')}]}}`),
  },
  '60,000 resources of a webhook': { target: webhooks, body: webhook(rule(times(60_000, i => `"r${i}/a"`))) },
  '100,000 versions of a webhook': { target: webhooks, body: webhook('', `,${times(100_000, i => `"r${i}"`)}`) },
  '120,000 exit codes': { target: jobs, body: job(times(120_000, i => String(i + 1))) },
  '120,000 exit codes that are one': { target: jobs, body: job(times(120_000, () => '0')) },
  '100,000 usages of a certificate': {
    target: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    body: object(
      'certificates.k8s.io/v1',
      'CertificateSigningRequest',
      `"spec":{"request":"YQ==","signerName":"a.b/c","usages":[${times(100_000, i => `"a${i}"`)}]}`,
    ),
  },
  '100,000 actions of a binding': {
    target: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
    body: object(
      'admissionregistration.k8s.io/v1',
      'ValidatingAdmissionPolicyBinding',
      `"spec":{"policyName":"a","validationActions":[${times(100_000, i => `"a${i}"`)}]}`,
    ),
  },
  '150,000 families of a service': {
    target: '/api/v1/namespaces/default/services',
    body: object('v1', 'Service', `"spec":{"ports":[{"port":1}],"ipFamilies":[${times(150_000, i => `"a${i}"`)}]}`),
  },
  '300,000 ports of a load balancer that say nothing': {
    target: '/api/v1/namespaces/default/services?dryRun=All',
    body: object('v1', 'Service', `"spec":{"type":"LoadBalancer","ports":[${times(300_000, () => '{}')}]}`),
  },
  '25,000 ports of a load balancer': {
    target: '/api/v1/namespaces/default/services?dryRun=All',
    body: object(
      'v1',
      'Service',
      `"spec":{"type":"LoadBalancer","ports":[${times(25_000, i => `{"name":"a${i}","port":${i + 1}}`)}]}`,
    ),
  },
  'a time of a million digits': {
    target: '/apis/batch/v1/namespaces/default/cronjobs',
    body: object(
      'batch/v1',
      'CronJob',
      `"spec":{"schedule":"@every ${filled('1')}","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}}}}`,
    ),
  },
  'a definition with 100,000 keys of a list': {
    target: definitions,
    body: definition(
      `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[${times(100_000, i => `"k${i}"`)}],"items":{"type":"object"}}`,
    ),
  },
  'a pattern of a third of a million classes that do not end': {
    target: definitions,
    body: definition(`{"type":"string","pattern":"${filled("a['")}"}`),
  },
  'a pattern of a third of a million named classes that do not end': {
    target: definitions,
    body: definition(`{"type":"string","pattern":"${filled('[[:')}"}`),
  },
}

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } }
const server = Promise.resolve(createApiServer({ seed: 1, controllers: 'none', objects: [account] }))
after(async () => (await server).close())

answersInTime(server, rows, pods)

// A page of kubectl as people type it. Each scenario runs in a namespace of its own, on any server; `{ns}` and `{group}` stand for the
// scenario's namespace and API group.
import type { Json } from '../../conformance/apiserver/transcript.ts'

export interface Command {
  /** As typed, without `kubectl`; quoted parts are one argument. */
  readonly type: string
  readonly input?: Json | string
  readonly env?: Readonly<Record<string, string>>
  /** What of the output is compared; default all of it, normalised. */
  readonly compare?: (output: string) => string
  /** Real time to let pass first: a definition is served a moment after it says so. */
  readonly afterMs?: number
  /** Typed while the next command runs: a watch. It gets this long. */
  readonly besides?: number
}

export interface Scenario {
  readonly title: string
  readonly commands: readonly (Command | string)[]
}

const labels = { app: 'web' }
const web = (spec: object = {}, rest: object = {}): Json =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', ...rest },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'example.com/web:1', ports: [{ containerPort: 80 }] }] },
      },
      ...spec,
    },
  }) as Json
const config = (data: object, rest: object = {}): Json =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config' }, data, ...rest }) as Json
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gizmos.{group}' },
  spec: {
    group: '{group}',
    scope: 'Namespaced',
    names: { plural: 'gizmos', singular: 'gizmo', kind: 'Gizmo', shortNames: ['gi'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A gizmo, for trying things.',
            properties: {
              spec: {
                type: 'object',
                description: 'What is wanted.',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1, maximum: 10, description: 'How large.' },
                  color: { type: 'string', enum: ['red', 'blue'], default: 'red', description: 'Which color.' },
                  replicas: { type: 'integer' },
                  parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
                },
              },
              status: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    items: { type: 'object', properties: { type: { type: 'string' }, status: { type: 'string' } } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
} satisfies Json
const gizmo = (spec: object, rest: object = {}): Json =>
  ({ apiVersion: '{group}/v1', kind: 'Gizmo', metadata: { name: 'w', ...rest }, spec }) as Json

/** Names of fields and their types; the words around them are ours. */
const fieldsOnly = (output: string): string =>
  output
    .split('\n')
    .filter(line => /^(KIND|VERSION|GROUP|FIELD):|^ {2}\w+\t/.test(line))
    .join('\n')

export const scenarios: readonly Scenario[] = [
  {
    title: 'config maps from creation to deletion',
    commands: [
      'create configmap settings --from-literal=mode=fast --from-literal=level=3',
      'create configmap settings --from-literal=mode=fast',
      'get configmap settings -o yaml',
      'get cm',
      'get cm -o wide --show-labels',
      'get cm settings -o name',
      'get cm settings -o jsonpath={.data.mode}',
      'get cm -o custom-columns=NAME:.metadata.name,MODE:.data.mode',
      'describe cm settings',
      'label cm settings team=a',
      'label cm settings team=b',
      'label cm settings team=b --overwrite',
      'annotate cm settings note=hello',
      'get cm -l team=b',
      'get cm -l team!=b',
      'get cm --field-selector metadata.name=settings',
      'get cm --sort-by=.metadata.name',
      'get cm missing',
      'delete cm settings',
      'delete cm settings',
      'delete cm settings --ignore-not-found',
    ],
  },
  {
    title: 'client-side apply, diff, replace and edit',
    commands: [
      { type: 'apply -f -', input: config({ a: '1' }) },
      { type: 'apply -f -', input: config({ a: '1' }) },
      { type: 'diff -f -', input: config({ a: '2' }) },
      { type: 'apply -f - --dry-run=server', input: config({ a: '2' }) },
      { type: 'apply -f -', input: config({ a: '2', b: '1' }) },
      { type: 'apply -f -', input: config({ b: '1' }) },
      'get cm config -o yaml',
      { type: 'replace -f -', input: config({ c: '1' }) },
      { type: 'edit cm config', env: { KUBE_EDITOR: 'sed -i s/c:/d:/' } },
      'get cm config -o jsonpath={.data}',
      { type: 'apply -f -', input: config({ a: 1 }) },
      { type: 'apply -f -', input: config({ a: '1' }, { nonsense: 1 }) },
      { type: 'create -f -', input: config({ a: '1' }) },
      'apply view-last-applied cm config',
    ],
  },
  {
    title: 'deployments: apply, patch, scale, set image, rollout',
    commands: [
      { type: 'apply -f -', input: web() },
      'get deploy',
      'get deploy web -o wide',
      'get deploy web -o yaml',
      { type: 'apply -f -', input: web({ replicas: 2 }) },
      'scale deploy web --replicas=5',
      `patch deploy web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"example.com/web:2"}]}}}}'`,
      `patch deploy web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":3}]'`,
      `patch deploy web --type=merge -p '{"spec":{"replicas":4}}'`,
      `patch deploy web --type=json -p '[{"op":"remove","path":"/spec/nothing"}]'`,
      'set image deploy/web web=example.com/web:3',
      'set env deploy/web MODE=fast',
      'get deploy web -o jsonpath={.spec.template.spec.containers[0].env}',
      'rollout pause deploy web',
      'rollout resume deploy web',
      'rollout history deploy web',
      `patch deploy web --subresource=status --type=merge -p '{"status":{"observedGeneration":20,"replicas":4,"updatedReplicas":4,"readyReplicas":4,"availableReplicas":4}}'`,
      'get deploy web --subresource=status',
      'rollout status deploy web --timeout=5s',
      'describe deploy web',
      { type: 'get all', compare: output => output },
      `patch deploy web -p '{"spec":{"selector":{"matchLabels":{"app":"other"}}}}'`,
      'delete deploy web --cascade=orphan --wait=false',
      'get deploy web -o jsonpath={.metadata.finalizers}',
    ],
  },
  {
    title: 'server-side apply with conflicts',
    commands: [
      { type: 'apply --server-side -f -', input: config({ a: '1', b: '1' }) },
      { type: 'apply --server-side --field-manager=other -f -', input: config({ a: '2' }) },
      { type: 'apply --server-side --field-manager=other --force-conflicts -f -', input: config({ a: '2' }) },
      { type: 'apply --server-side -f -', input: config({ b: '1' }) },
      'get cm config -o yaml --show-managed-fields',
      { type: 'apply -f -', input: web() },
      { type: 'apply --server-side -f -', input: web({ replicas: 3 }) },
      'get deploy web -o yaml --show-managed-fields',
      { type: 'apply --server-side -f -', input: config({ a: '1' }, { nonsense: 1 }) },
    ],
  },
  {
    title: 'custom resources: definition, explain, wait, status, delete',
    commands: [
      { type: 'apply -f -', input: definition },
      'wait --for=condition=Established crd/gizmos.{group} --timeout=10s',
      'get crd gizmos.{group}',
      { type: 'apply -f -', input: gizmo({ size: 3 }), afterMs: 2_500 },
      'get gizmos',
      'get gi w -o yaml',
      { type: 'apply -f -', input: gizmo({ size: 30, color: 'green' }) },
      { type: 'apply -f -', input: gizmo({ size: 3, nonsense: true }) },
      { type: 'apply -f -', input: gizmo({}) },
      'explain gizmo.spec',
      'explain gizmo.spec.color',
      'explain gizmo --recursive',
      'explain gizmo.nope',
      'wait --for=condition=Ready gizmo/w --timeout=1s',
      `patch gizmo w --subresource=status --type=merge -p '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'`,
      'wait --for=condition=Ready gizmo/w --timeout=5s',
      'wait --for=jsonpath={.spec.color}=red gizmo/w --timeout=5s',
      'get gizmos',
      'scale gizmo w --replicas=2',
      'get gizmo w -o jsonpath={.spec.replicas}',
      'describe gizmo w',
      `patch gizmo w -p '{"spec":{"size":4}}'`,
      `patch gizmo w --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}'`,
      'delete gizmo w --timeout=1s',
      'wait --for=delete gizmo/w --timeout=1s',
      `patch gizmo w --type=merge -p '{"metadata":{"finalizers":null}}'`,
      'wait --for=delete gizmo/w --timeout=5s',
      'delete crd gizmos.{group}',
    ],
  },
  {
    title: 'explain of what is built in',
    commands: [
      { type: 'explain configmap', compare: fieldsOnly },
      { type: 'explain pod.spec.containers', compare: fieldsOnly },
      { type: 'explain deployment.spec.strategy', compare: fieldsOnly },
      { type: 'explain deployment.spec.replicas', compare: fieldsOnly },
      'explain nothing',
    ],
  },
  {
    title: 'watching',
    commands: [
      { type: 'get cm -w --output-watch-events', besides: 2_500 },
      'create cm one --from-literal=a=1',
      'annotate cm one b=2',
      'delete cm one',
    ],
  },
  {
    title: 'access: roles, bindings, can-i, tokens, impersonation',
    commands: [
      'create serviceaccount robot',
      'create role reader --verb=get,list --resource=pods,configmaps',
      'create rolebinding reader --role=reader --serviceaccount={ns}:robot',
      'create clusterrole {ns}-all --verb=* --resource=deployments.apps',
      'create clusterrolebinding {ns}-all --clusterrole={ns}-all --user=jane',
      'auth can-i create pods',
      'auth can-i get pods --as=system:serviceaccount:{ns}:robot',
      'auth can-i delete pods --as=system:serviceaccount:{ns}:robot',
      'auth can-i delete deployments.apps --as=jane',
      {
        type: 'auth can-i --list --as=system:serviceaccount:{ns}:robot',
        compare: output => output.split('\n').sort().join('\n'),
      },
      'auth whoami --as=jane --as-group=devs',
      'get secrets --as=jane',
      'get pods --as=system:serviceaccount:{ns}:robot',
      'create token robot --duration=1h --audience=sts.amazonaws.com',
      'create token robot --duration=1m',
      'create token nobody',
      'get role,rolebinding',
      'get rolebinding -o wide',
      'describe role reader',
      'describe sa robot',
      'delete clusterrole,clusterrolebinding {ns}-all',
    ],
  },
  {
    title: 'the imperative commands that send protobuf',
    commands: [
      'create secret generic s --from-literal=password=p',
      'create secret tls t --cert=/nonexistent --key=/nonexistent',
      'create deployment nginx --image=example.com/nginx:1 --replicas=0',
      'create service clusterip svc --tcp=80:8080',
      'create service nodeport np --tcp=80:8080',
      'create service externalname ext --external-name=a.example',
      'expose deployment nginx --port=80 --name=exposed',
      'create ns {ns}-more',
      'create sa other',
      'run p --image=example.com/p:1 --restart=Never --overrides={"spec":{"automountServiceAccountToken":false}}',
      'get svc',
      'get deploy,secret,sa',
      'get pods -o wide',
      'describe secret s',
      'describe svc svc',
      'get ns {ns}-more',
      'delete pod p --now',
      'delete pod p --grace-period=0 --force',
      'delete ns {ns}-more --wait=false',
    ],
  },
  {
    title: 'pods, nodes and deletion in numbers',
    commands: [
      {
        type: 'create -f -',
        input: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { generateName: 'gen-', labels },
          spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'example.com/c' }] },
        },
      },
      'get pods -l app=web -o jsonpath={.items[*].spec.containers[0].imagePullPolicy}',
      'delete pods -l app=web --wait=false',
      { type: 'create -f -', input: { apiVersion: 'v1', kind: 'Node', metadata: { name: '{ns}-node' } } },
      'taint node {ns}-node dedicated=db:NoSchedule',
      'cordon {ns}-node',
      'get node {ns}-node',
      'get node {ns}-node -o jsonpath={.spec}',
      'uncordon {ns}-node',
      'delete node {ns}-node',
      'create cm x --from-literal=a=1',
      'create cm y --from-literal=a=1',
      'delete cm --all --wait=false',
      'get cm',
      'delete deploy nothing --cascade=foreground',
      'get nothing',
      'get --raw /healthz',
      'get events',
    ],
  },
]

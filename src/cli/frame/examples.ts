// A line or two for each command, shown by its --help and run by src/cli/frame/exit-codes.test.ts, in a folder that has the files that they name.
import type { FlagExample } from '#base'

const pod = '-n demo --service-account reader'
const model = '--model sqs.json --service sqs'

/** By the name of the command. Those of `operator` are what each operator says of itself, which only that command loads. */
export const examples: Readonly<Record<string, readonly FlagExample[]>> = {
  dev: [{ what: 'the story, and an end: for a look and for pipelines', line: 'vouch dev --once' }],
  'webhook aws': [
    {
      what: 'outside of a cluster, with a serving pair from files',
      line: 'vouch webhook aws --in-cluster=false --kubeconfig=kubeconfig --tls-cert=tls.crt --tls-key=tls.key --port=8443',
    },
  ],
  'webhook azure': [
    {
      what: 'outside of a cluster, with a serving pair from files',
      line: 'env AZURE_TENANT_ID=contoso.example vouch webhook azure --disable-cert-rotation --kubeconfig=kubeconfig --webhook-cert-dir=. --log-level=info',
    },
  ],
  'webhook both': [
    {
      what: 'outside of a cluster, with one serving pair for both',
      line: 'env AZURE_TENANT_ID=contoso.example vouch webhook both --kubeconfig=kubeconfig --aws.in-cluster=false --aws.tls-cert=tls.crt --aws.tls-key=tls.key --aws.port=8443 --azure.disable-cert-rotation --azure.webhook-cert-dir=.',
    },
  ],
  'webhook mutate': [
    {
      what: 'the pod as it would be stored',
      line: 'vouch webhook mutate --review review.json --objects serviceaccount.yaml --apply',
    },
    {
      what: 'what the Azure webhook would say',
      line: 'env AZURE_TENANT_ID=contoso.example vouch webhook mutate --provider azure --review review.json --objects serviceaccount.yaml',
    },
  ],
  'webhook audit': [{ what: 'the pods of one namespace', line: 'vouch webhook audit --kubeconfig kubeconfig --namespace demo' }],
  'webhook manifests': [
    {
      what: 'only API servers may connect',
      line: 'vouch webhook manifests --api-server-cidr 10.0.0.0/28 > webhook.yaml',
    },
    {
      what: 'Azure’s, with a certificate that the webhook keeps itself',
      line: 'vouch webhook manifests --provider azure --tenant-id contoso.example --api-server-cidr 10.0.0.0/28 > azure-webhook.yaml',
    },
    {
      what: 'both in one Deployment, each with flags of its own',
      line: 'vouch webhook manifests --provider both --tenant-id contoso.example --api-server-cidr 10.0.0.0/28 --aws.aws-default-region=eu-west-1 > webhooks.yaml',
    },
  ],
  'credential-process': [
    {
      what: 'by hand; in an AWS configuration the same line stands after credential_process =',
      line: 'vouch credential-process --kubeconfig=hub.kubeconfig --namespace=edge --service-account=demo/reader --session-name=report --clusterprofile-provider-file=providers.json --cluster-profile-namespaces=fleet',
    },
  ],
  sidecar: [
    {
      what: 'beside a program that has AWS_CONFIG_FILE=aws/config',
      line: 'vouch sidecar --kubeconfig=worker.kubeconfig --token-file=aws/token --aws-config-file=aws/config',
    },
  ],
  render: [
    {
      what: 'for the hub: identities, and AWS resources by the same process',
      line: 'vouch render --controllers=identity,resources --cluster-profile-namespaces=fleet --aws-region=eu-west-1 > hub.yaml',
    },
    { what: 'for each target: what the operator may do there', line: 'vouch render --part target > target.yaml' },
    {
      what: 'for one hosted control plane, as the hub has it',
      line: 'cat control-plane.yaml | vouch render hosted -f - -- --hosted-image=registry.example.com/vouch:1 > hosted.yaml',
    },
  ],
  rights: [
    {
      what: 'policies for the role of the process',
      line: 'vouch rights --of aws --controllers=identity,resources --cluster-profile-namespaces=fleet --aws-region=eu-west-1',
    },
  ],
  plan: [
    { what: 'manifests before they are merged', line: 'vouch plan -f manifests --aws-region eu-west-1' },
    { what: 'without a cluster, for programs', line: 'vouch plan -f manifests --offline -o json --aws-region eu-west-1' },
  ],
  export: [
    {
      what: 'the roles that nobody looks after yet, as manifests that adopt them',
      line: 'vouch export roles --aws-region eu-west-1 > roles.yaml',
    },
  ],
  infer: [{ what: 'kinds of a service that nobody has made before', line: `vouch infer ${model} --output out` }],
  'infer classify': [{ what: 'which operations make a kind', line: `vouch infer classify ${model}` }],
  'infer explain': [
    { what: 'where a field comes from', line: `vouch infer explain queue.spec.queueName ${model}` },
    { what: 'by what a role is adopted', line: 'vouch infer explain Role --adoption' },
  ],
  'infer diff': [{ what: 'what a change of the config changes', line: 'vouch infer diff crd.yaml crd.yaml' }],
  apiserver: [{ what: 'with definitions of yours', line: 'vouch apiserver --crds crd.yaml' }],
  azure: [{ what: 'one tenant whose ids stay, and whose state is kept', line: 'vouch azure --seed demo --data azure.json' }],
  aws: [{ what: 'remembers what was made', line: 'vouch aws --data aws.json' }],
  'aws explain': [{ what: 'why the latest call was refused', line: 'vouch aws explain' }],
  'aws can': [
    {
      what: 'may that pod of an EKS cluster read the object?',
      line: `vouch aws can s3:GetObject arn:aws:s3:::data/hello.txt ${pod} --cluster prod`,
    },
  ],
  completion: [
    { what: 'in this shell', line: 'source <(vouch completion bash)' },
    { what: 'for good', line: 'vouch completion fish > vouch.fish' },
  ],
  version: [{ what: 'for a report of a fault', line: 'vouch version' }],
}

export function renderExamples(command: string): string {
  const shown = (examples[command] ?? []).map(({ what, line }) => `  # ${what}\n  ${line}\n`)
  return shown.length === 0 ? '' : `Examples:\n${shown.join('')}`
}

// What to try once the story is told. Every line works in any folder, once the first one was typed, and may be pasted as it stands: words
// are comments.
import { join } from 'node:path'
import { quickstartFolder } from './quickstart.ts'

/** Two columns where the terminal has room, the words under the command where it has not. */
export function invitation(exports: string, columns: number): string {
  const show = (entries: readonly (readonly [command: string, words: string])[]): string =>
    entries.map(([command, words]) => entryOf(command, words, columns)).join('\n')
  return `It stays up until Ctrl-C. In another terminal, with your kubectl and AWS CLI:

${show([
  [`. ${exports}`, 'the clusters as contexts hub (current), edge, prod, stage; AWS; and vouch itself'],
  ['kubectl get awic,awsar -A', 'what is declared, and whether it is Ready'],
  ['kubectl describe awsar reader -n edge', 'each link of the chain as a condition'],
  ['kubectl get roles.iam.services.k8s.aws,buckets -A', 'the AWS resources behind it'],
  ['kubectl --context edge get pod reader -n demo -o yaml', 'what the webhook put into the pod'],
  ["aws iam list-roles --query 'Roles[].RoleName'", 'the same roles, as AWS has them'],
  ['aws s3 ls', 'the data, and the issuer of edge'],
  ['vouch aws explain', 'why AWS refused the latest call'],
])}

Break it, and watch here how it heals:

${show([
  ['kubectl --context edge annotate sa reader -n demo eks.amazonaws.com/role-arn-', 'the link between pod and role'],
  ['kubectl --context edge delete mutatingwebhookconfiguration pod-identity-webhook', 'nobody would tell pods their role'],
  ['kubectl delete roles.iam.services.k8s.aws --all -n prod', 'the role itself, in AWS too'],
  ['kubectl delete awsar reader -n stage', 'all of it goes, in AWS too'],
  [`kubectl apply --server-side -f ${join(quickstartFolder, 'hub', '2-roles.yaml')}`, 'and comes back'],
])}
`
}

const commandWidth = 80
const columnsMin = 148

function entryOf(command: string, words: string, columns: number): string {
  // Where a command leaves no room beside it, as with a long path to this installation, its words go above it.
  return columns >= columnsMin && command.length <= commandWidth
    ? `  ${command.padEnd(commandWidth)}  # ${words}`
    : `  # ${words}\n  ${command}`
}

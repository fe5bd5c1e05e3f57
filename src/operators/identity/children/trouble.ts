// Why a child is not what it should be, in its controller's own words, and what to do about it (M11). The reference says only that it
// waits, while the reason stands one object further.
import { stableText } from '#aws'
import { boundText } from '#kube'
import type { AckCondition } from './entry.ts'

export interface ChildTrouble {
  /** The child's own: an AWS error code where its message holds one, else the type of the condition that says it. */
  readonly reason: string
  /** One stable line, with the next step at its end where there is one. */
  readonly message: string
}

/** From the gravest to the mildest. `True` for what is bad when it holds, otherwise `False` or `Unknown`. */
const telling: readonly (readonly [type: string, bad: 'True' | 'not True'])[] = [
  ['ACK.Terminal', 'True'],
  ['ACK.Recoverable', 'True'],
  ['ACK.ReferencesResolved', 'not True'],
  ['ACK.IAMRoleSelected', 'not True'],
  ['ACK.ResourceSynced', 'not True'],
]

/** ACK's own, of a resource that it has just made and looks at once more: it says so each time, and nothing is wrong. */
const willLookAgain = /\brequeu(?:e|ing) (?:for|to trigger) updates\.?$/

/** An ellipsis and the next step have to fit as well. */
const messageLengthMax = 512

/** `undefined`: the child says nothing of trouble, which is not the same as being in sync. */
export function troubleOf(conditions: readonly AckCondition[]): ChildTrouble | undefined {
  for (const [type, bad] of telling) {
    const found = conditions.find(condition => condition.type === type)
    if (found === undefined || (bad === 'True') !== (found.status === 'True')) continue
    const text = wordsOf(found)
    if (type === 'ACK.Recoverable' && willLookAgain.test(text)) return undefined
    if (text === '' && type === 'ACK.ResourceSynced') continue
    return explain(type, text)
  }
  return undefined
}

/** A refusal by AWS as trouble of a child: what the child's message would have said. */
export function explain(type: string, text: string): ChildTrouble {
  const { code, words } = parseAwsText(text)
  const step = nextStep(code, words)
  const said = boundText(code === undefined ? words : `${code}: ${words}`, messageLengthMax)
  return { reason: code ?? type, message: step === undefined ? said : `${said.replace(/[.\s]+$/, '')}; ${step}` }
}

function wordsOf({ message, reason }: AckCondition): string {
  return (message === undefined || message === '' ? reason : message) ?? ''
}

/** `operation error IAM: CreateRole, https response error StatusCode: 403, RequestID: …, api error AccessDenied: User: … is not …`. */
function parseAwsText(text: string): { readonly code: string | undefined; readonly words: string } {
  const api = /\bapi error (\w[\w.]*): ([\s\S]*)$/.exec(text)
  if (api !== null) return { code: api[1], words: stableText(api[2] ?? '') }
  const typed =
    /\bRequestID: [\w-]*, (?:[\w.]+: )*?([A-Z]\w*(?:Exception|Exists|Exceeded|Denied|Document|Entity)): ([\s\S]*)$/.exec(text)
  if (typed !== null) return { code: typed[1], words: stableText(typed[2] ?? '') }
  const short = /^(?:[\w-]+ \w+: )?([A-Z][A-Za-z]{4,}): ([\s\S]+)$/.exec(text)
  if (short !== null) return { code: short[1], words: stableText(short[2] ?? '') }
  return { code: undefined, words: stableText(text) }
}

/** All the world shares the names of buckets, and ours can be told beforehand where they have no salt. */
export const otherBucketName =
  'somebody else has this name: choose a text of your own for --issuer-bucket-salt, then delete the Config and make it anew'

/** What a person does next. Only where we know it better than the service's own sentence. */
function nextStep(code: string | undefined, words: string): string | undefined {
  switch (code) {
    case 'AccessDenied':
    case 'AccessDeniedException':
    case 'UnauthorizedOperation':
    case 'NotAuthorized': {
      const action = /perform: ([\w-]+:\w+)/.exec(words)?.[1]
      return action === undefined
        ? 'give the controller that makes this resource the permission'
        : `allow ${action} to the controller that makes this resource`
    }
    case 'LimitExceeded':
    case 'LimitExceededException':
    case 'ServiceQuotaExceededException':
    case 'ResourceLimitExceededException':
      return 'raise the quota of the account or remove what is not needed'
    case 'EntityAlreadyExists':
    case 'EntityAlreadyExistsException':
    case 'ResourceInUseException':
    case 'BucketAlreadyOwnedByYou':
      return 'a resource of this name is there that is not ours: remove or rename it'
    case 'BucketAlreadyExists':
      return otherBucketName
    case 'MalformedPolicyDocument':
    case 'MalformedPolicyDocumentException':
    case 'PackedPolicyTooLarge':
      return 'correct the policy document'
    case 'NoSuchEntity':
    case 'NoSuchEntityException':
    case 'ResourceNotFoundException':
      return 'create what is missing or name another'
    case 'ExpiredToken':
    case 'ExpiredTokenException':
    case 'InvalidClientTokenId':
    case 'UnrecognizedClientException':
      return 'renew the credentials of the controller that makes this resource'
    default:
      return undefined
  }
}

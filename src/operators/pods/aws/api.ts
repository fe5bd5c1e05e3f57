// The names and defaults of the AWS webhook's contract (docs/rules/webhook.md §2). Cluster objects and other people's
// manifests hold these words, so they change only with the upstream's.

/** What metrics call this provider. */
export const awsProviderName = 'aws'

export interface AwsWebhookOptions {
  readonly annotationPrefix: string
  readonly tokenAudience: string
  readonly tokenExpirationSeconds: bigint
  readonly tokenMountPath: string
  /** Empty: no region variables are added. */
  readonly defaultRegion: string
  readonly regionalSts: boolean
  readonly containerCredentials: {
    readonly audience: string
    readonly fullUri: string
    readonly mountPath: string
    readonly volumeName: string
    readonly tokenPath: string
  }
  /** F-12: ConfigMap entries without an audience take the flag's. Off for parity. */
  readonly configMapDefaultAudience: boolean
  /** Also reads `spec.os.name`. Off for parity. */
  readonly windowsFromPodOs: boolean
  /** Only containers that the pod lists in `<prefix>/include-containers`. Off for parity. */
  readonly onlyIncludedContainers: boolean
  /** Set when `--compose-role-arn` is on: completes role names to ARNs. */
  readonly compose?: { readonly account: string; readonly partition: string }
}

export const defaultAwsOptions: AwsWebhookOptions = {
  annotationPrefix: 'eks.amazonaws.com',
  tokenAudience: 'sts.amazonaws.com',
  tokenExpirationSeconds: 86_400n,
  tokenMountPath: '/var/run/secrets/eks.amazonaws.com/serviceaccount',
  defaultRegion: '',
  regionalSts: false,
  containerCredentials: {
    audience: 'pods.eks.amazonaws.com',
    fullUri: 'http://169.254.170.23/v1/credentials',
    mountPath: '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount',
    volumeName: 'eks-pod-identity-token',
    tokenPath: 'eks-pod-identity-token',
  },
  configMapDefaultAudience: false,
  windowsFromPodOs: false,
  onlyIncludedContainers: false,
}

export const webIdentityVolume = 'aws-iam-token'
export const webIdentityTokenPath = 'token'
/** Neither key follows `--annotation-prefix`. */
export const podIdentityLabel = 'eks.amazonaws.com/pod-identity'
export const skipLabel = 'eks.amazonaws.com/skip-pod-identity-webhook'
export const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** The API server refuses shorter ones. */
export const expirationSecondsMin = 600n
/** The API server refuses longer ones (F-07). */
export const expirationSecondsMax = 4_294_967_296n
/** Where container credentials fall back to when nothing says otherwise, and the lower end of the jitter that then applies (§2.9). */
export const containerExpirationSeconds = 86_400n
export const containerJitterSecondsMin = 79_200n

/** What a ServiceAccount's annotations say. */
export interface ServiceAccountIdentity {
  /** Empty when the ServiceAccount asks for no role. */
  readonly roleArn: string
  readonly audience: string
  readonly regionalSts: boolean
  readonly expirationSeconds: bigint
}

/** One entry of the ConfigMap source (§2.8). */
export interface ConfigMapEntry {
  readonly roleArn: string
  readonly audience: string
  readonly regionalSts: boolean
  readonly expirationSeconds: bigint
}

/** What was odd about an input, told and not refused. */
export interface Oddity {
  readonly message: string
  readonly fields: Readonly<Record<string, string>>
}

/** Everything the decision depends on besides the pod: one snapshot, taken before (S19). */
export interface IdentitySnapshot {
  /** `undefined`: no such ServiceAccount is known. */
  readonly serviceAccount: ServiceAccountIdentity | undefined
  /** What was odd about its annotations: whoever makes a pod of it may want to know. */
  readonly oddities?: readonly Oddity[]
  /** Exact key `<namespace>/<name>`. */
  readonly exactEntry: ConfigMapEntry | undefined
  /** The key of any namespace: an asterisk, a slash and the name. */
  readonly wildcardEntry: ConfigMapEntry | undefined
  /** Listed in the container-credentials file. */
  readonly usesContainerCredentials: boolean
}

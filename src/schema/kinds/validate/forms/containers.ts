// Containers of pods, those that come later among them.
import type { FormShape } from './form.ts'
import { fieldReference, resourceReference } from './volumes.ts'

const optional = ['optional', null] as const
const named: FormShape = { Name: ['name', ''], Optional: optional }
const keyed: FormShape = { Name: ['name', ''], Key: ['key', ''], Optional: optional }

const variableSource: FormShape = {
  FieldRef: ['fieldRef', null, fieldReference],
  ResourceFieldRef: ['resourceFieldRef', null, resourceReference],
  ConfigMapKeyRef: ['configMapKeyRef', null, keyed],
  SecretKeyRef: ['secretKeyRef', null, keyed],
  // A gate keeps this away.
  FileKeyRef: ['fileKeyRef', null],
}

const exec = ['exec', null, { Command: ['command', null] }] as const
const httpGet = [
  'httpGet',
  null,
  {
    Path: ['path', ''],
    Port: ['port', 0],
    Host: ['host', ''],
    Scheme: ['scheme', ''],
    HTTPHeaders: ['httpHeaders', null, { Name: ['name', ''], Value: ['value', ''] }],
  },
] as const
const tcpSocket = ['tcpSocket', null, { Port: ['port', 0], Host: ['host', ''] }] as const

const probe: FormShape = {
  Exec: exec,
  HTTPGet: httpGet,
  TCPSocket: tcpSocket,
  GRPC: ['grpc', null, { Port: ['port', 0], Service: ['service', null] }],
  InitialDelaySeconds: ['initialDelaySeconds', 0],
  TimeoutSeconds: ['timeoutSeconds', 0],
  PeriodSeconds: ['periodSeconds', 0],
  SuccessThreshold: ['successThreshold', 0],
  FailureThreshold: ['failureThreshold', 0],
  TerminationGracePeriodSeconds: ['terminationGracePeriodSeconds', null],
}

const handler: FormShape = {
  Exec: exec,
  HTTPGet: httpGet,
  TCPSocket: tcpSocket,
  Sleep: ['sleep', null, { Seconds: ['seconds', 0] }],
}

export const profile: FormShape = { Type: ['type', ''], LocalhostProfile: ['localhostProfile', null] }

/** What a pod and a container say alike of whom they run as. */
export const seLinuxOptions: FormShape[string] = [
  'seLinuxOptions',
  null,
  { User: ['user', ''], Role: ['role', ''], Type: ['type', ''], Level: ['level', ''] },
]
export const windowsOptions: FormShape[string] = [
  'windowsOptions',
  null,
  {
    GMSACredentialSpecName: ['gmsaCredentialSpecName', null],
    GMSACredentialSpec: ['gmsaCredentialSpec', null],
    RunAsUserName: ['runAsUserName', null],
    HostProcess: ['hostProcess', null],
  },
]
export const seccompProfile: FormShape[string] = ['seccompProfile', null, profile]
export const appArmorProfile: FormShape[string] = ['appArmorProfile', null, profile]

export const containerSecurity: FormShape = {
  Capabilities: ['capabilities', null, { Add: ['add', null], Drop: ['drop', null] }],
  Privileged: ['privileged', null],
  SELinuxOptions: seLinuxOptions,
  WindowsOptions: windowsOptions,
  RunAsUser: ['runAsUser', null],
  RunAsGroup: ['runAsGroup', null],
  RunAsNonRoot: ['runAsNonRoot', null],
  ReadOnlyRootFilesystem: ['readOnlyRootFilesystem', null],
  AllowPrivilegeEscalation: ['allowPrivilegeEscalation', null],
  ProcMount: ['procMount', null],
  SeccompProfile: seccompProfile,
  AppArmorProfile: appArmorProfile,
}

/** What a container, or a pod as a whole, asks for. */
export const resources: FormShape = {
  Limits: ['limits', null, 'amounts'],
  Requests: ['requests', null, 'amounts'],
  Claims: ['claims', null, { Name: ['name', ''], Request: ['request', ''] }],
}

export const container: FormShape = {
  Name: ['name', ''],
  Image: ['image', ''],
  Command: ['command', null],
  Args: ['args', null],
  WorkingDir: ['workingDir', ''],
  Ports: [
    'ports',
    null,
    {
      Name: ['name', ''],
      HostPort: ['hostPort', 0],
      ContainerPort: ['containerPort', 0],
      Protocol: ['protocol', ''],
      HostIP: ['hostIP', ''],
    },
  ],
  EnvFrom: [
    'envFrom',
    null,
    { Prefix: ['prefix', ''], ConfigMapRef: ['configMapRef', null, named], SecretRef: ['secretRef', null, named] },
  ],
  Env: ['env', null, { Name: ['name', ''], Value: ['value', ''], ValueFrom: ['valueFrom', null, variableSource] }],
  Resources: ['resources', {}, resources],
  ResizePolicy: ['resizePolicy', null, { ResourceName: ['resourceName', ''], RestartPolicy: ['restartPolicy', ''] }],
  RestartPolicy: ['restartPolicy', null],
  // A gate keeps this away.
  RestartPolicyRules: ['restartPolicyRules', null],
  VolumeMounts: [
    'volumeMounts',
    null,
    {
      Name: ['name', ''],
      ReadOnly: ['readOnly', false],
      RecursiveReadOnly: ['recursiveReadOnly', null],
      MountPath: ['mountPath', ''],
      SubPath: ['subPath', ''],
      MountPropagation: ['mountPropagation', null],
      SubPathExpr: ['subPathExpr', ''],
    },
  ],
  VolumeDevices: ['volumeDevices', null, { Name: ['name', ''], DevicePath: ['devicePath', ''] }],
  LivenessProbe: ['livenessProbe', null, probe],
  ReadinessProbe: ['readinessProbe', null, probe],
  StartupProbe: ['startupProbe', null, probe],
  Lifecycle: [
    'lifecycle',
    null,
    // A gate keeps the signal away.
    { PostStart: ['postStart', null, handler], PreStop: ['preStop', null, handler], StopSignal: ['stopSignal', null] },
  ],
  TerminationMessagePath: ['terminationMessagePath', ''],
  TerminationMessagePolicy: ['terminationMessagePolicy', ''],
  ImagePullPolicy: ['imagePullPolicy', ''],
  SecurityContext: ['securityContext', null, containerSecurity],
  Stdin: ['stdin', false],
  StdinOnce: ['stdinOnce', false],
  TTY: ['tty', false],
}

/** One that comes when the pod runs already. */
export const laterContainer: FormShape = { ...container, TargetContainerName: ['targetContainerName', ''] }

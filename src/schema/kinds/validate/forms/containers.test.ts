// Containers as a real server holds them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, renderJson } from '../../../json.ts'
import { templateForm } from './pods.ts'

/** As a real server shows them, all their fields set. */
const rows: readonly (readonly [given: JsonObject, shown: string])[] = [
  [{ args: ['args'] }, '"Args":["args"]'],
  [{ command: ['command'] }, '"Command":["command"]'],
  [
    {
      env: [
        {
          name: 'name',
          value: 'value',
          valueFrom: {
            configMapKeyRef: { key: 'key', name: 'name', optional: true },
            fieldRef: { apiVersion: 'apiVersion', fieldPath: 'fieldPath' },
            resourceFieldRef: { containerName: 'containerName', divisor: '1500m', resource: 'resource' },
            secretKeyRef: { key: 'key', name: 'name', optional: true },
          },
        },
      ],
    },
    '"Env":[{"Name":"name","Value":"value","ValueFrom":{"FieldRef":{"APIVersion":"apiVersion","FieldPath":"fieldPath"},"ResourceFieldRef":{"ContainerName":"containerName","Resource":"resource","Divisor":"1500m"},"ConfigMapKeyRef":{"Name":"name","Key":"key","Optional":true},"SecretKeyRef":{"Name":"name","Key":"key","Optional":true},"FileKeyRef":null}}]',
  ],
  [
    {
      envFrom: [
        { configMapRef: { name: 'name', optional: true }, prefix: 'prefix', secretRef: { name: 'name', optional: true } },
      ],
    },
    '"EnvFrom":[{"Prefix":"prefix","ConfigMapRef":{"Name":"name","Optional":true},"SecretRef":{"Name":"name","Optional":true}}]',
  ],
  [{ image: 'image' }, '"Image":"image"'],
  [{ imagePullPolicy: 'imagePullPolicy' }, '"ImagePullPolicy":"imagePullPolicy"'],
  [
    {
      lifecycle: {
        postStart: {
          exec: { command: ['command'] },
          httpGet: {
            host: 'host',
            httpHeaders: [{ name: 'name', value: 'value' }],
            path: 'path',
            port: 'http',
            scheme: 'scheme',
          },
          sleep: { seconds: 9 },
          tcpSocket: { host: 'host', port: 'http' },
        },
        preStop: {
          exec: { command: ['command'] },
          httpGet: { host: 'host', httpHeaders: [{ name: 'name', value: 'value' }], path: 'path', port: 80, scheme: 'scheme' },
          sleep: { seconds: 3 },
          tcpSocket: { host: 'host', port: 80 },
        },
      },
    },
    '"Lifecycle":{"PostStart":{"Exec":{"Command":["command"]},"HTTPGet":{"Path":"path","Port":"http","Host":"host","Scheme":"scheme","HTTPHeaders":[{"Name":"name","Value":"value"}]},"TCPSocket":{"Port":"http","Host":"host"},"Sleep":{"Seconds":9}},"PreStop":{"Exec":{"Command":["command"]},"HTTPGet":{"Path":"path","Port":80,"Host":"host","Scheme":"scheme","HTTPHeaders":[{"Name":"name","Value":"value"}]},"TCPSocket":{"Port":80,"Host":"host"},"Sleep":{"Seconds":3}},"StopSignal":null}',
  ],
  [
    {
      livenessProbe: {
        exec: { command: ['command'] },
        failureThreshold: 5,
        grpc: { port: 6, service: 'service' },
        httpGet: { host: 'host', httpHeaders: [{ name: 'name', value: 'value' }], path: 'path', port: 'http', scheme: 'scheme' },
        initialDelaySeconds: 8,
        periodSeconds: 9,
        successThreshold: 1,
        tcpSocket: { host: 'host', port: 'http' },
        terminationGracePeriodSeconds: 3,
        timeoutSeconds: 4,
      },
    },
    '"LivenessProbe":{"Exec":{"Command":["command"]},"HTTPGet":{"Path":"path","Port":"http","Host":"host","Scheme":"scheme","HTTPHeaders":[{"Name":"name","Value":"value"}]},"TCPSocket":{"Port":"http","Host":"host"},"GRPC":{"Port":6,"Service":"service"},"InitialDelaySeconds":8,"TimeoutSeconds":4,"PeriodSeconds":9,"SuccessThreshold":1,"FailureThreshold":5,"TerminationGracePeriodSeconds":3}',
  ],
  [{ name: 'name' }, '"Name":"name"'],
  [
    { ports: [{ containerPort: 5, hostIP: 'hostIP', hostPort: 1, name: 'name', protocol: 'protocol' }] },
    '"Ports":[{"Name":"name","HostPort":1,"ContainerPort":5,"Protocol":"protocol","HostIP":"hostIP"}]',
  ],
  [
    {
      readinessProbe: {
        exec: { command: ['command'] },
        failureThreshold: 7,
        grpc: { port: 8, service: 'service' },
        httpGet: { host: 'host', httpHeaders: [{ name: 'name', value: 'value' }], path: 'path', port: 80, scheme: 'scheme' },
        initialDelaySeconds: 1,
        periodSeconds: 2,
        successThreshold: 3,
        tcpSocket: { host: 'host', port: 80 },
        terminationGracePeriodSeconds: 5,
        timeoutSeconds: 6,
      },
    },
    '"ReadinessProbe":{"Exec":{"Command":["command"]},"HTTPGet":{"Path":"path","Port":80,"Host":"host","Scheme":"scheme","HTTPHeaders":[{"Name":"name","Value":"value"}]},"TCPSocket":{"Port":80,"Host":"host"},"GRPC":{"Port":8,"Service":"service"},"InitialDelaySeconds":1,"TimeoutSeconds":6,"PeriodSeconds":2,"SuccessThreshold":3,"FailureThreshold":7,"TerminationGracePeriodSeconds":5}',
  ],
  [
    { resizePolicy: [{ resourceName: 'resourceName', restartPolicy: 'Always' }] },
    '"ResizePolicy":[{"ResourceName":"resourceName","RestartPolicy":"Always"}]',
  ],
  [
    {
      resources: {
        claims: [{ name: 'name', request: 'request' }],
        limits: { b: '1Mi', a: '1500m' },
        requests: { b: '1Mi', a: '1500m' },
      },
    },
    '"Resources":{"Limits":{"a":"1500m","b":"1Mi"},"Requests":{"a":"1500m","b":"1Mi"},"Claims":[{"Name":"name","Request":"request"}]}',
  ],
  [
    {
      securityContext: {
        allowPrivilegeEscalation: true,
        appArmorProfile: { localhostProfile: 'localhostProfile', type: 'type' },
        capabilities: { add: ['add'], drop: ['drop'] },
        privileged: true,
        procMount: 'procMount',
        readOnlyRootFilesystem: true,
        runAsGroup: 2,
        runAsNonRoot: true,
        runAsUser: 3,
        seLinuxOptions: { level: 'level', role: 'role', type: 'type', user: 'user' },
        seccompProfile: { localhostProfile: 'localhostProfile', type: 'type' },
        windowsOptions: {
          gmsaCredentialSpec: 'gmsaCredentialSpec',
          gmsaCredentialSpecName: 'gmsaCredentialSpecName',
          hostProcess: true,
          runAsUserName: 'runAsUserName',
        },
      },
    },
    '"SecurityContext":{"Capabilities":{"Add":["add"],"Drop":["drop"]},"Privileged":true,"SELinuxOptions":{"User":"user","Role":"role","Type":"type","Level":"level"},"WindowsOptions":{"GMSACredentialSpecName":"gmsaCredentialSpecName","GMSACredentialSpec":"gmsaCredentialSpec","RunAsUserName":"runAsUserName","HostProcess":true},"RunAsUser":3,"RunAsGroup":2,"RunAsNonRoot":true,"ReadOnlyRootFilesystem":true,"AllowPrivilegeEscalation":true,"ProcMount":"procMount","SeccompProfile":{"Type":"type","LocalhostProfile":"localhostProfile"},"AppArmorProfile":{"Type":"type","LocalhostProfile":"localhostProfile"}}',
  ],
  [
    {
      startupProbe: {
        exec: { command: ['command'] },
        failureThreshold: 4,
        grpc: { port: 5, service: 'service' },
        httpGet: { host: 'host', httpHeaders: [{ name: 'name', value: 'value' }], path: 'path', port: 'http', scheme: 'scheme' },
        initialDelaySeconds: 7,
        periodSeconds: 8,
        successThreshold: 9,
        tcpSocket: { host: 'host', port: 'http' },
        terminationGracePeriodSeconds: 2,
        timeoutSeconds: 3,
      },
    },
    '"StartupProbe":{"Exec":{"Command":["command"]},"HTTPGet":{"Path":"path","Port":"http","Host":"host","Scheme":"scheme","HTTPHeaders":[{"Name":"name","Value":"value"}]},"TCPSocket":{"Port":"http","Host":"host"},"GRPC":{"Port":5,"Service":"service"},"InitialDelaySeconds":7,"TimeoutSeconds":3,"PeriodSeconds":8,"SuccessThreshold":9,"FailureThreshold":4,"TerminationGracePeriodSeconds":2}',
  ],
  [{ stdin: true }, '"Stdin":true'],
  [{ stdinOnce: true }, '"StdinOnce":true'],
  [{ terminationMessagePath: 'terminationMessagePath' }, '"TerminationMessagePath":"terminationMessagePath"'],
  [{ terminationMessagePolicy: 'terminationMessagePolicy' }, '"TerminationMessagePolicy":"terminationMessagePolicy"'],
  [{ tty: true }, '"TTY":true'],
  [
    { volumeDevices: [{ devicePath: 'devicePath', name: 'name' }] },
    '"VolumeDevices":[{"Name":"name","DevicePath":"devicePath"}]',
  ],
  [
    {
      volumeMounts: [
        {
          mountPath: 'mountPath',
          mountPropagation: 'mountPropagation',
          name: 'name',
          readOnly: true,
          recursiveReadOnly: 'recursiveReadOnly',
          subPath: 'subPath',
          subPathExpr: 'subPathExpr',
        },
      ],
    },
    '"VolumeMounts":[{"Name":"name","ReadOnly":true,"RecursiveReadOnly":"recursiveReadOnly","MountPath":"mountPath","SubPath":"subPath","MountPropagation":"mountPropagation","SubPathExpr":"subPathExpr"}]',
  ],
  [{ workingDir: 'workingDir' }, '"WorkingDir":"workingDir"'],
]

const shown = (given: JsonObject): string => renderJson(templateForm({ spec: { containers: [given] } }))

for (const [given, told] of rows)
  test(`what a container has of ${Object.keys(given)[0]} is shown as a real server holds it`, () => {
    assert.ok(shown(given).includes(told), shown(given))
  })

const plain = {
  name: 'a',
  image: 'b',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'Always',
}
const plainForm =
  '{"Name":"a","Image":"b","Command":null,"Args":null,"WorkingDir":"","Ports":null,"EnvFrom":null,"Env":null,"Resources":{"Limits":null,"Requests":null,"Claims":null},"ResizePolicy":null,"RestartPolicy":null,"RestartPolicyRules":null,"VolumeMounts":null,"VolumeDevices":null,"LivenessProbe":null,"ReadinessProbe":null,"StartupProbe":null,"Lifecycle":null,"TerminationMessagePath":"/dev/termination-log","TerminationMessagePolicy":"File","ImagePullPolicy":"Always","SecurityContext":null,"Stdin":false,"StdinOnce":false,"TTY":false'

test('a container that says little is shown with all its fields, and so is one that comes later', () => {
  const { Spec } = Object(templateForm({ spec: { containers: [plain], ephemeralContainers: [plain] } }))
  assert.equal(renderJson(Spec.Containers), `[${plainForm}}]`)
  assert.equal(renderJson(Spec.EphemeralContainers), `[${plainForm},"TargetContainerName":""}]`)
})

test('what a container takes from elsewhere, and says nothing of, is empty or none', () => {
  const env = [{ name: 'A', valueFrom: { fieldRef: {}, resourceFieldRef: {}, configMapKeyRef: {} } }]
  const told =
    '{"FieldRef":{"APIVersion":"","FieldPath":""},"ResourceFieldRef":{"ContainerName":"","Resource":"","Divisor":"0"},"ConfigMapKeyRef":{"Name":"","Key":"","Optional":null},"SecretKeyRef":null,"FileKeyRef":null}'
  assert.ok(shown({ env }).includes(told), shown({ env }))
})

// What hosted control planes are to Vouch: the platform's kind, what is said of it, and names that both halves share.
export { guestCondition, type HostedReason, hostedReasons, sidecarCondition } from './api/conditions.ts'
export {
  type ControlPlane,
  type ControlPlaneSpec,
  caHashAnnotation,
  controlPlaneKind,
  kubeconfigLabel,
  signingDisabledAnnotation,
  type TlsProfile,
} from './api/kinds.ts'
export { clusterSignerName, guestNamespace, kubeApiserverName, leaseName, rootCaName } from './api/names.ts'

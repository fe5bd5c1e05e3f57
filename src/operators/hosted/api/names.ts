// Names that the platform gives, and by which both halves find what they need.
export const kubeApiserverName = 'kube-apiserver'
/** Certificate authorities, as Secrets with `ca.crt` and `ca.key`. */
export const rootCaName = 'root-ca'
export const clusterSignerName = 'cluster-signer-ca'
/** Of the guest's account that the sidecars act as. */
export const guestNamespace = 'openshift-authentication'
export const leaseName = 'vouch-hosted'

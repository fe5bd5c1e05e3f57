// Why an answer was what it was: the closed list that metrics and logs use (§5.7).
export type AdmissionReason =
  | 'sa_role'
  | 'cm_role'
  | 'container_credentials'
  | 'no_role'
  | 'sa_unknown'
  | 'lookup_timeout'
  | 'role_promised'
  | 'decode'
  | 'mirror_pod'
  | 'already_complete'
  | 'error'

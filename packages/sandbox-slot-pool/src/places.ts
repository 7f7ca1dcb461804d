/** Below the working directory of an inner sandbox: the program and what it notes about slots. */
export const HOST_FOLDER = '.hermes-slots';

/** The supervisor's own folder in a slot, as the program makes it. */
export const PRIVATE_DIR = '/.hermes';

/** Its supervisor's. */
export const STATE_DIR: string = `${PRIVATE_DIR}/state`;

/** Where commands start when nobody says another place. */
export const WORKDIR = '/workspace';

/**
 * What slots see of a host that is no container: its programs and libraries. Nothing that may hold data: a rollout's verifier is
 * given every folder of the root that is not the system's.
 */
export const SYSTEM_PLACES: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
];

/** What of these would give the host away. */
export const HOST_SECRETS: readonly string[] = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'],
  ...['/etc/sudoers.d', '/etc/ssh', '/etc/ssl/private', '/etc/pki/tls/private', '/etc/krb5.keytab'],
  ...[
    '/etc/apt/auth.conf',
    '/etc/apt/auth.conf.d',
    '/etc/wireguard',
    '/etc/docker',
    '/etc/rancher',
  ],
  ...[
    '/etc/kubernetes',
    '/etc/letsencrypt',
    '/etc/NetworkManager',
    '/etc/netplan',
    '/etc/wpa_supplicant',
  ],
  ...[
    '/etc/openvpn',
    '/etc/ipsec.secrets',
    '/etc/samba',
    '/etc/cron.d',
    '/etc/environment',
    '/etc/machine-id',
  ],
];

/** The settings that production requires. */
export const PRODUCTION: Record<string, string> = {
  MODE: 'production',
  PUBLIC_URL: 'https://rent.example.com',
  KEYS: 'f3a1c07e94d25b68800b1e6dc2597a34e7ad43f0196c8e5b2d71b8046a9f3ec5',
  CARD_PROVIDER_URL: 'https://pay.example.com/',
  CARD_PROVIDER_XWEB_ID: '8000',
  CARD_PROVIDER_TERMINAL_ID: '2001',
  CARD_PROVIDER_AUTH_KEY: 'k3y',
  SMTP_URL: 'smtp://site:hunter2@mail.example.com:587',
  MAIL_FROM: 'Rent <no-reply@rent.example.com>',
}

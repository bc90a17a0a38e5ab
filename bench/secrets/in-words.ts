/** Secrets in sentences of many languages; and values that nothing marks as a secret. */
import { text } from './drafts';
import type { SecretClass } from './planted';
import { machineValue, password, shortValue } from './values';

/** Sentences of several languages. `#` stands for the secret. */
const SENTENCES = `
Your API key is #
The password for the database is #.
Here is your access token: #
Use the following secret to sign requests: #
I've set the admin password to #, please change it.
API key: #
Password: #
Das Passwort lautet #
Passwort: #
Kennwort: #
Ihr API-Schlüssel: #
Zugangstoken: #
Das Geheimnis ist: #
Le mot de passe est #
Mot de passe : #
Clé API : #
Votre jeton d'accès : #
La contraseña es #
Contraseña: #
Clave de API: #
Token de acceso: #
A senha é #
Senha: #
Chave de API: #
La password è #
Chiave API: #
Parola d'ordine: #
Wachtwoord: #
API-sleutel: #
Hasło: #
Klucz API: #
Twoje hasło to #
Heslo: #
Lösenord: #
Adgangskode: #
Salasana: #
Parola: #
Şifre: #
API anahtarı: #
Jelszó: #
Пароль: #
Ваш пароль: #
Ключ API: #
Токен доступа: #
Секретный ключ: #
密码：#
密码: #
密钥：#
您的API密钥是 #
访问令牌：#
密碼：#
パスワード：#
パスワードは # です
APIキー: #
アクセストークン: #
シークレットキー：#
비밀번호: #
API 키: #
액세스 토큰: #
كلمة المرور: #
סיסמה: #
पासवर्ड: #
รหัสผ่าน: #
Mật khẩu: #
Kata sandi: #
Κωδικός πρόσβασης: #
The API token is "#"
Token: #
Secret: #
Access key: #
Private key: #
Client secret: #
Webhook secret: #
Username: admin / Password: #
Log in with ann and the password #
My password is #
the secret key is '#'
Set your API key to # in the settings.
I created a new token for you: #
Save this token, it won't be shown again: #
Authenticate with the token # and retry.
Use # as the password.
Zugangsdaten: anna / Passwort: #
Das API-Token ist #
Geheimer Schlüssel: #
Benutzername: anna, Kennwort: #
Identifiant : luc, mot de passe : #
La clé secrète est #
Voici votre mot de passe : #
Clave secreta: #
Su contraseña es: #
Tu token de acceso es #
Sua senha é #
A chave secreta é: #
La tua password è #
Password dell'utente: #
Il token di accesso è #
Het wachtwoord is #
Je API-sleutel is #
Hasło do bazy: #
Token dostępu: #
Heslo k databázi: #
Lösenordet är #
API-nyckel: #
Passord: #
Parolanız: #
A jelszó: #
Пароль от базы: #
Секрет: #
Ключ доступа: #
您的密码是：#
API密钥：#
令牌: #
パスワード: #
APIキーは#です
認証トークン：#
비밀번호는 # 입니다
인증 토큰: #
Mật khẩu của bạn là: #
Ο κωδικός: #
Parolă: #
Лозинка: #
`
  .trim()
  .split('\n');

export const PROSE: SecretClass = {
  id: 'prose in many languages',
  count: 36,
  templates: SENTENCES.map((sentence) =>
    text(
      (random) =>
        /key|token|schlüssel|clé|jeton|clave|chave|chiave|klucz|sleutel|密钥|令牌|キー|키|토큰|ключ|токен/i.test(
          sentence,
        )
          ? machineValue(random)
          : random.pick([password, password, shortValue])(random),
      (s, random) => {
        const line = sentence.replace('#', () => s);
        return random.pick([
          () => line,
          () => `OK.\n${line}\n`,
          () => `- ${line}`,
          () => `${random.person().name}:\n${line}`,
        ])();
      },
    ),
  ),
};

/** Random text that nothing marks as a secret. Nobody can tell it from an id. */
export const NAMELESS: SecretClass = {
  id: 'nameless random text',
  count: 20,
  apart: true,
  templates: [
    text(machineValue, (s) => s),
    text(machineValue, (s) => `Done. ${s}`),
    text(machineValue, (s, random) => `${random.word()} ${s} ${random.word()}`),
    text(machineValue, (s) => `copied to clipboard:\n${s}`),
    text(machineValue, (s) => JSON.stringify({ value: s, ok: true })),
    text(machineValue, (s) => JSON.stringify([s])),
    text(password, (s) => `it is ${s}`),
  ],
};

const CARD = ['4', '5'];

export const PERSONAL: SecretClass = {
  id: 'personal data',
  count: 20,
  apart: true,
  templates: [
    text(
      (random) => random.person().mail,
      (s) => `Sent to ${s}`,
    ),
    text(
      (random) => random.person().mail,
      (s) => JSON.stringify({ user: { email: s } }),
    ),
    text(
      (random) => random.person().user,
      (s) => `/home/${s}/projects/app/server.js`,
    ),
    text(
      (random) => random.person().user,
      (s) => `C:\\Users\\${s}\\AppData\\Roaming\\npm`,
    ),
    text(
      (random) => random.person().user,
      (s) => `/Users/${s}/Library/Logs/Claude/mcp.log`,
    ),
    text(
      (random) => `+49 151 ${random.text('digits', 8)}`,
      (s) => `Call ${s}`,
    ),
    text(
      (random) => `${random.pick(CARD)}${random.text('digits', 15)}`,
      (s) => `card ${s} exp 11/29`,
    ),
    text(
      (random) => random.person().name,
      (s) => `Assigned to ${s}`,
    ),
    text(
      (random) => `DE${random.text('digits', 20)}`,
      (s) => `IBAN ${s}`,
    ),
  ],
};

/** Words that stand before secrets. */
const listOf = (words: string): readonly string[] => words.split('|');

/** Words for a password in many languages, or their beginnings. */
export const PASSWORD_WORDS = listOf(
  'password|passwort|passphrase|passcode|passwd|passe|passord|pwd|pin |kennwort|zugangscode|geheimnis|' +
    'contraseña|contrasena|senha|wachtwoord|parola|hasło|heslo|lösenord|adgangskode|salasana|jelszó|' +
    'lozinka|лозинка|parolă|şifre|kata sandi|mật khẩu|пароль|пароля|parool|κωδικός|κωδικο|סיסמה|סיסמת|' +
    'كلمة المرور|كلمة السر|รหัสผ่าน|密码|密碼|口令|パスワード|비밀번호|암호|पासवर्ड|gesloten sleutel|slaptažodis|parole|' +
    'salasõna|пароліь|фраза',
);

/** Words for a key, a token or a secret. */
export const KEY_WORDS = listOf(
  'secret|token|key|cred|schlüssel|sleutel|clé|clave|chave|chiave|klucz|klíč|nyckel|nøgle|nøkkel|' +
    'avain|kulcs|kunci|khóa|ключ|κλειδί|מפתח|مفتاح|कुंजी|anahtar|segredo|secreto|jeton|токен|секрет|令牌|密钥|' +
    '密鑰|金鑰|密匙|キー|トークン|シークレット|秘密鍵|키|토큰|시크릿|โทเค็น|رمز',
);

/** Text that names of secrets contain, other than the nouns of sentences. */
export const NAME_PARTS = listOf(
  'pass|tkn|psk|salt|pepper|pw |cookie|authorization|bearer|session|jwt|verifier|assertion|saml|devicecode|device_code|' +
    'auth_code|authcode|signature|code=|state=|sig=|hmac=|_auth|-auth|auth=|auth"|auth\\|auth:|ticket=|' +
    'sid"|sid=|sid\\|sessid|pat"|pat=|pat\\|_pat|appid=|mnemonic|seed|phrase|recovery|chl\u00fcssel|schluessel|' +
    'mdp|pw"|pw=|pw:',
);

"""The words for passwords, codes and keys in about twenty languages, and the words for "is".

A space in a phrase matches a space, a hyphen, an underscore, or nothing. A phrase that ends in `*`
may have up to four more letters: an article or an inflection.
"""

PASSWORDS = """
    password*|passwd|passphrase*|passcode|pwd|psk
    passwort*|kennwort*|passwörter
    mot de passe|mots de passe|mdp|phrase de passe
    contraseña*|contrasena*|contrasenya
    senha|senhas|palavra passe
    wachtwoord*
    hasło|hasła|haslo|hasłem
    парол*
    lösenord*|losenord|adgangskode*|kodeord*|passord*
    salasana*
    heslo|hesla|heslem|jelszó*|jelszava*|jelszavam
    şifre*|sifre*
    συνθηματικό
    lozinka|lozinke
    كلمة السر|كلمة المرور|كلمه السر|باسورد|رمز عبور
    הסיסמה|סיסמה|סיסמא|הסיסמא
    पासवर्ड|mật khẩu|รหัสผ่าน|รหัส|kata sandi
"""
"""Words after which even a plain word at the end of the line is secret: "password: sunshine"."""

LOOSE_PASSWORDS = """
    pw|pass|psw|ww|clave|parola|parolă|κωδικός|κωδικος|κωδικό|code secret|login data
"""
"""Words with other meanings as well: the value has to look like a secret."""

CODES = """
    pin|pins|pin code|pin number|pin nummer|pincode|pinkode|pinkod|pin kód|pin kodu|kod pin
    código pin|codice pin|code pin|pin koodi|пин|пин код|пін код|mtan|puk|cvv|cvc|cvv2|otp
    verification code|security code|unlock code|login code|backup codes|backup code
    recovery codes|recovery code|one time code|2fa code|bestätigungscode|sicherheitscode
    geheimzahl|entsperrcode|freischaltcode|code für die anmeldung|code de vérification
    code de sécurité|code confidentiel|código de verificación|código de seguridad
    código de verificação|código de segurança|codice di verifica|codice di sicurezza
    codice segreto|beveiligingscode|verificatiecode|kod weryfikacyjny|код подтверждения
    engångskod|engangskode|tunnusluku|vahvistuskoodi|ověřovací kód|doğrulama kodu|الرقم السري
    קוד סודי
"""
"""Words after which a number of at least three digits is secret.

Codes of doors, gates, locks and alarms are not included: the owner wants them remembered.
"""

CAPITAL_CODES = "TAN|mTAN|TANs|OTP|PIN|PUK"
"""Words that count only as written here: in lower case they are other words."""

KEYS = """
    api key|api keys|apikey|access key|secret access key|access key id|secret key|private key
    client secret
    webhook secret|signing secret|signing key|recovery key|encryption key|session cookie|auth token
    access token|bot token|bearer token|refresh token|api token|totp secret|2fa secret|secret|token
    master key|deploy key|session key|app password|shared secret
    api schlüssel|geheimer schlüssel|wiederherstellungsschlüssel|zugriffsschlüssel
    clé api|clé d'api|clé d’api|clave de api|clave api|chiave api|chave de api|chave da api
    chave api
    api sleutel|klucz api|ключ api|ключ апи|токен|api nyckel|api nøgle|api anahtarı|api klíč
"""
"""Words after which a mix of at least eight letters and digits is secret."""

NETWORK_KEYS = """
    wifi key|wi fi key|wlan key|wpa key|wpa2 key|wpa3 key|network key|network security key|wifi code
    wlan schlüssel|wlan code|netzwerkschlüssel|netzwerksicherheitsschlüssel|wifi schlüssel
    clé wifi|clé wi fi|clé wpa|clé du wifi|clave wifi|chiave wifi|chave wifi|wifi sleutel|klucz wifi
    code wifi|code du wifi|код от вайфая|wifi kod
"""
"""Words after which digits alone are secret too, as on a router's label."""

NETWORK_WORDS = "key|schlüssel|clé|clave|chiave|chave|sleutel|klucz|ключ"
"""The same, if "wifi" precedes them in the line."""

CJK = """
    密码|密碼|口令|パスワード|パスコード|暗証番号|合言葉|비밀번호|비번|암호|패스워드|验证码|驗證碼|認証コード|確認コード
    PINコード|핀번호|인증번호|密钥|密鑰|APIキー
"""
"""Words of languages without spaces between words."""

CJK_IS = "是|为|為|は|는|은|이|が|：|:|=|「|→"

IS = """
    is|was|it's|its|it’s|are
    ist|lautet|war|heißt|heisst|sind|wäre
    est|c'est|c’est|était
    es|era|è|é
    to|jest|był
    это|—|–|був|це|є
    je|är|er|on|este|είναι|lo|be
    هي|هو|היא|הוא|है|là|คือ|adalah|ialah
    auf|into|to be
"""
"""Words for "is", matched as whole words."""

STILL = (
    "now|still|currently|again|just|simply|jetzt|nun|weiterhin|maintenant|toujours|ahora|agora|ora"
    "|adesso|теперь|сейчас|nu|teraz|actually|set to|changed to"
)
"""Words that may occur between "is" and the secret."""

NO_SECRET_AFTER = """
    hint hints manager managers policy policies length rules rule requirement requirements reset
    field protected protection hash hashing hashes strength prompt change changes expires expiry
    attempt attempts generator count limit limits validation authentication column input form
    hinweis manager länge regeln richtlinie ablauf indice pista longueur
"""
"""Nouns and verbs that show that the sentence is not about the secret itself."""

UNITS = (
    "characters?|chars?|digits?|letters?|symbols?|days?|weeks?|months?|years?|hours?|minutes?"
    "|seconds?"
    "|times|percent|euros?|dollars?|lines?|words?|notes?|people|persons?|pages?|items?|tokens?"
    "|points?"
    "|zeichen|stellen?|ziffern|buchstaben|tage?n?|wochen|monate?n?|jahren?|stunden|minuten|euro"
    "|leute"
    "|caractères|chiffres|jours|mois|ans|caracteres|dígitos|cifras|días|meses|años|caratteri|giorni"
    "|tekens|cijfers|dagen|znaków|cyfr|dni|символов|символа|цифр|цифры|дней|дня|文字|桁|位|자리|글자"
    "|km|kg|cm|mm|kb|mb|gb|am|pm|uhr|h|min|st|nd|rd|th"
)
"""Units: a number before one of them is a quantity and not a secret."""

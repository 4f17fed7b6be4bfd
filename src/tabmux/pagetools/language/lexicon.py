"""Lexicon: what buttons, labels and addresses say in some twenty languages.

Entries are beginnings of words; those of scripts without spaces may stand anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from tabmux.pagetools.language.words import word_set

# Shorter ones would be found in the middle of other words.
_SHORTEST_INNER = 5


# A page says the same every time that it is looked at.
KEPT_ANSWERS = 4096


class Lexicon:
    """Words for one thing: as they stand in text, and as they hide in ids and addresses.

    Attributes:
        search: Whether a text, in lower case, has one of the words.
        match: Whether a text, in lower case, starts with one of the words.
        marked: Whether one of the words is part of a text, even inside of another word.
    """

    def __init__(self, pattern: re.Pattern[str], marks: re.Pattern[str]) -> None:
        self.pattern = pattern
        # Kept by the text alone: to find a pattern in a table takes as long as to use it.
        kept = lru_cache(maxsize=KEPT_ANSWERS)
        self.search: Callable[[str], bool] = kept(lambda said: pattern.search(said) is not None)
        self.match: Callable[[str], bool] = kept(lambda said: pattern.match(said) is not None)
        self.marked: Callable[[str], bool] = kept(
            lambda said: self.search(said) or marks.search(said) is not None
        )


def stems(pattern: str) -> Lexicon:
    """Compile entries, which are separated by ` | `."""
    found = [entry.strip() for entry in pattern.replace("\n", " ").split("|") if entry.strip()]
    inner = [
        entry.replace(" ", r"[\s_-]*")
        for entry in found
        if len(entry.rstrip(".")) >= _SHORTEST_INNER and "." not in entry
    ]
    return Lexicon(
        re.compile("|".join(_stem(entry) for entry in found)), re.compile("|".join(inner) or "(?!)")
    )


def _stem(entry: str) -> str:
    spaced = entry.isascii() or ord(entry[0]) < 0x0600
    body = entry.replace(".", r"\b") if entry.endswith(".") else entry
    body = body.replace(" ", r"[\s_-]*")
    return rf"(?<![^\W_]){body}" if spaced else body


SEARCH = stems(
    """search | find. | lookup | look up | suche | durchsuch | recherch | cherch | trouver
    | buscar | busca. | buscador | búsqueda | busqueda | cerca. | ricerca | trova | pesquis
    | procurar | busque | zoek | sök | søk | søg | hae. | etsi. | haku | szuka | wyszuk
    | hledat | hledej | hledán | vyhled | hľad | vyhľad | keres | caut | căut | поиск | найти
    | искать | ищи | найди | пошук | знайти | шукати | търс | претраг | pretra | traži | iskan
    | otsi | meklē | paieška | ieško | поиск | αναζ | ara. | arama | bul. | بحث | ابحث | חיפוש
    | חפש | جستجو | جست | 搜 | 查询 | 查詢 | 查找 | 検索 | さがす | 探す | 검색 | 찾기 | tìm
    | cari. | cercar | ค้นหา"""
)
LOGIN = stems(
    """log in | log on | logon | signin | sign in | anmelden | einloggen | anmeldung | connexion
    | connecter | connectez | me connecter | identifi | iniciar sesi | inicio de sesi
    | entrar. | acceder | accede | ingresar | acceso | accesso | accedi | entra. | inloggen
    | aanmelden | logga in | logg inn | log ind | kirjaudu | zaloguj | logowani | přihlás
    | prihlás | bejelentkez | belép | autentif | conectare | conectează | intră în cont
    | войти | вход | войдите | авториз | увійти | вхід | влез | prijav | σύνδεση | είσοδος
    | giriş | oturum aç | تسجيل الدخول | دخول | כניסה | התחבר | ورود | 登录 | 登錄 | 登陆
    | 登入 | ログイン | サインイン | 로그인 | đăng nhập | masuk. | inicia sessi | เข้าสู่ระบบ"""
)
REGISTER = stems(
    """regist | sign up | signup | create account | create an account | create your account
    | create my account | create profile | create free | new account | join. | new user
    | new customer | enrol | inscri | sinscrire | créer un compte | créer mon compte
    | crear cuenta | crear una cuenta | crea tu cuenta | regíst | cadastr | criar conta
    | criar uma conta | iscriv | crea account | crea un account | konto erstellen
    | konto anlegen | neukunde | kostenlos anmelden | account aanmaken | skapa konto
    | bli medlem | opret | rekisteröi | luo tili | zarejestr | rejestr | załóż konto
    | zaregistr | vytvořit účet | regisztr | înregistr | creează cont | creare cont | регистр
    | зарегистр | реєстр | зареєстр | εγγραφ | kayıt | kaydol | üye ol | üyelik
    | hesap oluştur | تسجيل | إنشاء حساب | הרשמה | הירשם | ثبت نام | عضویت | 注册 | 註冊
    | 会員登録 | 新規登録 | 회원가입 | 가입 | đăng ký | daftar | สมัคร | 加入"""
)
RECOVER = stems(
    """forgot | forget | recover | reset | lost | restore | remind | retrieve | resend
    | vergessen | zurücksetz | oubli | réinitial | olvid | recuper | restablec | dimenticat
    | reimpost | esquec | redefinir | lembrar | vergeten | glömt | glemt | unohtu | zapomn
    | odzysk | przypomn | zapomenut | obnov | elfelejt | uitat | resetare | восстан | забыл
    | напомн | віднов | забули | забрав | ξέχασ | επαναφορ | unuttu | sıfırla | نسيت | استعادة
    | שכחת | שחזור | فراموش | 忘记 | 忘記 | 找回 | 重置 | 忘れ | 再設定 | 再発行
    | 비밀번호 찾기 | 재설정 | quên | lupa."""
)
PASSWORD = stems(
    """passw | passwd | kennwort | mot de passe | contraseñ | contrasen | clave. | senha
    | wachtwoord | lösenord | passord | adgangskode | kodeord | salasana | hasł | heslo
    | hesla | jelszó | jelszav | parol | пароль | пароля | парол | κωδικ | şifre | parola
    | كلمة المرور | كلمة السر | סיסמה | رمز عبور | گذرواژه | 密码 | 密碼 | パスワード
    | 비밀번호 | 암호 | mật khẩu | kata sandi"""
)
SUBSCRIBE = stems(
    """subscri | newsletter | news letter | mailing list | mailinglist | email updates
    | email list | stay in touch | stay updated | get updates | updates | keep me | mailchimp
    | mc embedded | listmanage | list manage | feedburner | abonnier | rundbrief | abonne
    | lettre d'info | infolettre | suscri | boletín | boletin | assinar | assine | receba
    | nieuwsbrief | nyhetsbrev | nyhedsbrev | prenumer | uutiskirje | subskry | zapisz się
    | odebír | odběr | novink | hírlevél | feliratkoz | aboneaz | abonare | подпис | рассылк
    | підпис | розсилк | абонир | ενημερωτ | abone | bülten | e-bülten | اشترك | اشتراك
    | النشرة | ניוזלטר | خبرنامه | 订阅 | 訂閱 | メルマガ | 購読 | 구독 | 뉴스레터 | nhận tin
    | berlangganan | novedades | actualités | aktualności"""
)
CONTACT = stems(
    """contact | message | comment | reply | respond | feedback | enquir | inquir | question
    | get in touch | email us | write to us | ask. | request | appointment | quote | callback
    | call me back | kontakt | nachricht | anfrage | kommentar | contactez | commentaire
    | envoyer un | demande | mensaje | comentar | contacto | consulta | opinión | messaggio
    | contatt | comment | mensagem | contato | bericht | reactie | meddelande | besked
    | melding | viesti | kommentti | wiadomoś | komentarz | opini | zpráv | komentář | dotaz
    | üzenet | hozzászól | mesaj | comentariu | сообщени | комментар | отзыв | обратн | вопрос
    | повідомл | коментар | відгук | съобщение | μήνυμα | σχόλι | επικοινων | yorum | iletişim
    | رسالة | تعليق | اتصل | تواصل | הודעה | תגובה | צור קשר | پیام | نظر | 留言 | 评论 | 評論
    | 联系 | お問い合わせ | コメント | 메시지 | 댓글 | 문의 | tin nhắn | bình luận | liên hệ
    | pesan. | komentar | guestbook | gästebuch"""
)
COMMENT = stems(
    """comment | kommentar | commentaire | comentar | comentár | reactie | kommentti | komentarz
    | komentář | hozzászól | комментар | коментар | σχόλι | yorum | تعليق | תגובה | نظر | 评论
    | 評論 | コメント | 댓글 | bình luận | komentar | review | rezension | reply | leave a"""
)
CART = stems(
    """add to cart | add to bag | add to basket | add to trolley | addtocart | addtobag
    | addtobasket | cart | basket | buy. | buy now | checkout | purchase | warenkorb | einkaufswagen
    | bestellen | kaufen | panier | commander | acheter | carrito | comprar | añadir al
    | carrello | acquista | ordina. | carrinho | winkelwagen | winkelmand | bestel | varukorg
    | köp. | kundvagn | kurv | køb. | handlekurv | kjøp | ostoskori | koszyk | kup. | zamów
    | košík | koupit | kúpiť | kosár | vásárl | megrendel | coș | cumpăr | корзин | купить
    | заказ | кошик | купити | замов | количк | купи | καλάθι | αγορά | sepet | satın al
    | sipariş | سلة | شراء | עגל | הוסף לסל | سبد | خرید | 购物车 | 購物車 | 加入购物 | 购买
    | カート | 購入 | 注文 | 장바구니 | 구매 | 주문 | giỏ hàng | mua. | keranjang | beli.
    | place order | order now"""
)
# Where goods are put before they are paid.
BASKET = stems(
    """cart. | basket | warenkorb | einkaufswagen | panier | carrito | cesta | carrello | carrinho
    | winkelwagen | winkelmand | varukorg | kundvagn | kurv. | kurven | handlekurv | ostoskori
    | koszyk | košík | kosár | în coș | корзин | кошик | количк | καλάθι | sepet | السلة | לסל
    | سبد | 购物车 | 購物車 | カート | 장바구니 | giỏ hàng | keranjang"""
)
NEXT = stems(
    """next | older | forward. | weiter. | nächste | suivant | siguiente | próxim | proxim
    | successiv | seguent | avanti | seguinte | volgende | nästa | neste | næste | seuraava
    | następn | dalej | další | ďalš | következő | următo | следующ | далее | вперед | вперёд
    | наступн | далі | следващ | επόμεν | sonraki | ileri | التالي | הבא | بعدی | 下一页
    | 下一頁 | 下页 | 下一 | 次へ | 次の | 다음 | tiếp | berikut | selanjut | ถัดไป | sljedeć"""
)
PREVIOUS = stems(
    """prev. | previous | newer | zurück | vorherig | précéd | preced | anterior | indietro | vorige
    | föregående | forrige | edellinen | poprzedn | wstecz | předchoz | predch | előző
    | предыдущ | назад | попередн | предишн | προηγούμ | önceki | geri | السابق | הקודם | قبلی
    | 上一页 | 上一頁 | 上页 | 上一 | 前へ | 前の | 이전 | trước | sebelum | prethodn"""
)
# Of what is shown, or of what is said: the page that follows, if an address says so, too.
FURTHER = stems(
    """more. | continue | mehr. | weitere | fortsetz | plus. | suite. | más. | continúa | continua
    | altri. | altre. | mais. | meer. | verder | fler. | flere. | lisää | więcej | další | több.
    | ещё | еще | далее | більше | daha | もっと | 続き | 更多 | 더. | thêm"""
)
MORE = stems(
    """load more | show more | see more results | view more | more results | mehr laden
    | mehr anzeigen | weitere laden | voir plus | afficher plus | charger plus | ver más
    | cargar más | mostrar más | carica altr | mostra altr | carregar mais | ver mais
    | mostrar mais | meer laden | toon meer | visa fler | ladda fler | vis flere | näytä lisää
    | pokaż więcej | załaduj | načíst další | zobrazit další | több betöltése | показать ещё
    | показать еще | загрузить ещё | показати ще | daha fazla | عرض المزيد | 加载更多
    | 加載更多 | 查看更多 | もっと見る | 더보기 | xem thêm | muat lebih"""
)
CLOSE = stems(
    """cancel | close | dismiss | abbrechen | schließen | annuler | fermer | cancelar | cerrar
    | annulla | chiudi | fechar | annuleren | sluiten | avbryt | stäng | annuller | luk.
    | peruuta | sulje | anuluj | zamknij | zrušit | zavřít | mégse | bezár | anulează
    | închide | отмена | закрыть | скасувати | закрити | ακύρωση | κλείσιμο | iptal | kapat
    | إلغاء | إغلاق | ביטול | סגור | 取消 | 关闭 | 關閉 | キャンセル | 閉じる | 취소 | 닫기
    | hủy | đóng | batal | tutup"""
)
PREVIEW = stems(
    """preview | vorschau | aperçu | prévisual | vista previa | previsuali | anteprima
    | pré-visuali | prévia | pré visual | voorbeeld | förhandsgran | forhåndsvis | esikatsel
    | podgląd | náhled | náhľad | előnézet | previzual | предпросмотр | предварительн
    | попередній перегляд | предвар | преглед | προεπισκόπ | önizle | pregled | معاينة
    | תצוגה מקדימה | پیش نمایش | 预览 | 預覽 | プレビュー | 미리보기 | xem trước | pratinjau
    | ดูตัวอย่าง"""
)
RESET = stems(
    """reset | clear | zurücksetzen | löschen | réinitialiser | effacer | restablecer | limpiar
    | borrar | reimposta | cancella | limpar | wissen | rensa | nulstil | tyhjennä | wyczyść
    | resetuj | vymazat | törlés | resetează | șterge | сброс | очистить | очистити
    | εκκαθάριση | temizle | sıfırla | مسح | ניקוי | 重置 | 清除 | リセット | クリア | 초기화
    | xóa"""
)
CAPTCHA = stems(
    "captcha | recaptcha | hcaptcha | verification code | security code image | verify code | "
    "seccode | antispam question | капч | код с картинки | символы с картинки | 验证码 | 驗證碼 | "
    "画像認証 | 자동등록방지"
)
# How fields that catch programs are called.
HONEYPOT = re.compile(
    r"honey[_-]?(?:pot|trap|field)|hny?pt|topyenoh|gotcha|tar[_-]?pit|decoy"
    r"|(?<![a-z])bait(?![a-z])|no[_-]?spam|spam[_-]?(?:trap|bot|catch\w*|protect\w*|field)"
    r"|bot[_-]?(?:field|trap|check|catcher)|anti[_-]?bot|(?<![a-z])b_[0-9a-f]{16,}_[0-9a-f]{6,}"
    r"|fax[_-]?only|url_check|do[_-]not[_-](?:fill|change|touch|use)|dont[_-]?fill"
    r"|leave[_-](?:this[_-])?(?:field[_-])?(?:blank|empty)"
)
# The same in short, which may mean something else, too.
SHORT_HONEYPOT = re.compile(r"(?<![a-z])hp(?![a-z])")
# What is written for people beside a field that programs are to fill.
MEANT_FOR_PROGRAMS = re.compile(
    r"if you(?: are|.re) (?:a )?(?:human|not a bot|reading|seeing)|robots? only"
    r"|for validation purposes"
)
LEAVE_EMPTY = re.compile(
    r"(?:leave|keep) (?:this |it |that |the )?(?:field |box |input )?(?:blank|empty)"
    r"|(?:should|must) (?:be|remain|stay) (?:left )?(?:blank|empty|unchanged)"
    r"|do not fill(?: (?:in|out))?|don.t (?:fill|enter|type|write)(?: (?:in|out|anything))?"
    r"|nicht ausfüllen|leer lassen|freilassen|frei lassen|ne pas remplir"
    r"|laisse[rz] (?:ce champ )?vide"
    r"|deja[r]? (?:este campo )?(?:vacío|en blanco)|no (?:rellen|llen|complet)(?:ar|e|es)"
    r"|lascia(?:re)? (?:questo campo )?(?:vuoto|in bianco)|non compilare"
    r"|deix(?:e|ar) (?:este campo )?(?:vazio|em branco)|não preench(?:a|er)|leeg laten"
    r"|niet invullen|laat dit veld leeg|lämna (?:detta )?(?:fält(?:et)? )?tomt|fyll inte(?: i)?"
    r"|felt(?:et)? (?:være |stå )?tomt|pozostaw (?:to )?(?:pole )?puste|nie wypełniaj|nevyplňujte"
    r"|prázdné|hagyja üresen|не заполня(?:йте|ть)|оставьте (?:это )?(?:поле )?пуст\w*"
    r"|не заповню\w*|boş bırak\w*|jätä tyhjäksi|älä täytä|nu completa\w*|留空|勿填|不要填[写寫]?"
    r"|入力しないで|空白のまま|空のまま|비워"
)
# Around it, these say nothing of what could be typed.
EMPTY_FILLERS = word_set(
    """please this that the it field box input you should must be here in anything bitte dieses
    diese das feld svp veuillez ce le champ por favor este el campo per favore questo il dit het
    veld detta fältet ikke lad vennligst proszę to pole prosím toto kérjük ezt mezőt пожалуйста
    это поле lütfen bu alanı tämä kenttä ole hyvä vă rugăm acest câmp 请 請 この欄は 本栏 此项
    ください 두세요 주세요"""
)
SECRET = stems(
    "passw | passcode | passphrase | pin code | pin. | otp. | one time | cvc | cvv | csc. |"
    " card number | "
    "credit card | card no | ssn. | social security | iban | secret | api key | private key | "
    "kennwort | contraseñ | mot de passe | senha | пароль | 密码 | パスワード | security code"
)
SORT = stems(
    """sort. | sort by | sorting |
    order by | orderby | sortieren | sortierung | trier | tri. | ordenar | orden.
    | ordina per | ordinamento | sorteer | sortera | sortér | järjest | sortuj | sortow
    | seřadit | řazení | rendezés | sorteaz | сортир | упорядоч | ταξινόμ | sırala | ترتيب
    | מיון | 排序 | 並び替え | 並べ替え | 정렬 | sắp xếp | urutkan"""
)
FILTER = stems(
    """filter | refine | narrow | facet | criteria | advanced | per page | perpage | items per
    | show only | category | price from | price range | pricerange | from year | view by
    | display topics | filtrer | filtrar | filtra | affiner | filteren | filtr | szűr | фильтр
    | фільтр | φίλτρ | filtrele | تصفية | סינון | 筛选 | 篩選 | 絞り込 | 필터 | bộ lọc"""
)

# What a tick says that ticks all others.
ALL_OF_THEM = stems(
    """select all | alle auswähl | alle markier
    | alles auswähl | tout sélection | tout cocher | seleccionar tod | marcar tod
    | seleziona tutt | selecionar tod | alles selecteren | selecteer alle
    | välj alla | markera alla | vælg alle | velg alle | valitse kaikki
    | zaznacz wszyst | vybrat vše | označit vše | összes kijelöl | selectează toate
    | выбрать все | выделить все | вибрати всі | επιλογή όλων | tümünü seç
    | hepsini seç | 全选 | 全選 | すべて選択 | 전체 선택 | 모두 선택 | chọn tất cả | pilih semua"""
)

# What heads a choice of what is listed.
NARROW = stems(
    """filter | refine | narrow | facet | filtr | affiner | verfeiner | eingrenz | refinar | raffina
    | suodat | szűr | saring. | фильтр | фільтр | филтр | φίλτρ | تصفية | סינון | فیلتر | 筛选
    | 篩選 | 絞り込 | 필터 | bộ lọc | กรอง"""
)
# What a page says where entries would stand, of their absence.
NOTHING = stems(
    """no. | none. | nothing | empty. | not found | 0 results | keine. | nichts. | leer.
    | aucun | vide. | rien. | ningún | ningun | no hay | vacío | vacía | nessun | non ci sono
    | vuot | nenhum | não há | não foram | vazi | geen. | leeg. | inga. | ingen. | tom.
    | intet | ei. | tyhjä | brak. | nie ma | nie znalez | pust | žádn | nic. | prázdn
    | nenalez | nincs | üres | niciun | nu există | nu sunt | нет. | ничего | пуст | не найден
    | немає | нічого | порожн | няма | празн | κανέν | καμία | δεν υπάρχ | δεν βρέθ | yok
    | bulunamad | boş | لا. | لا يوجد | אין | 没有 | 沒有 | 暂无 | 暫無 | 未找到 | 空的
    | ありません | いません | 見つかりませ | 没有找到 | 없습니다 | 없음 | không có | chưa có
    | tidak ada | belum ada | kosong | ไม่มี | ไม่พบ"""
)

# What buttons that destroy or pay say, beside English verbs.
DESTRUCTIVE = stems(
    """lösch | entfern | supprim | effacer | elimin | borrar | cancella | rimuov | excluir
    | remover | apagar | verwijder | ta bort | radera | slet. | fjern | poista | usuń | smazat
    | odstran | vymaz | törl | șterge | удал | стереть | видал | изтри | διαγραφ | sil.
    | kaldır | حذف | מחק | 删除 | 刪除 | 移除 | 削除 | 삭제 | xóa | hapus"""
)
PAYING = stems(
    """bezahlen | zahlungspflichtig | jetzt kaufen | payer | acheter | pagar | comprar | paga.
    | acquista | betalen | betala | köp | zapłać | kup teraz | zaplatit | fizet | plăt | оплат
    | купить | сплат | πληρωμ | öde | satın al | ادفع | שלם | 支付 | 付款 | 購入 | 결제"""
)

"""Foreign verbs: what buttons say in other languages than English, as the English verb."""

from __future__ import annotations

import re
from functools import lru_cache

# Beginnings of words, or with a dot whole ones, in German, French, Spanish, Italian, Portuguese,
# Dutch, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Slovak, Hungarian, Romanian, Russian,
# Ukrainian, Bulgarian, Greek, Turkish, Vietnamese, Indonesian; then whole signs in Chinese,
# Japanese, Korean, Arabic.
_STEMS = {
    "watch": """beobacht surveill observar observe. vigilar osserva. obserwuj sledovat наблюд
        следить 関注 ウォッチ 关注""",
    "follow": """folgen. suivre. seguir segui. volgen. följ. følg. seuraa śledź подпис
        フォロー 팔로우 متابعة تابع""",
    "save": """speicher sauvegard enregistr guardar guarda. grabar salva. salvar gravar
        opslaan bewaar spara. gem lagre tallenna zapisz zapisa uloži ulož mentés salve
        salvează сохран зберег запази αποθήκευ kaydet lưu simpan 保存 存檔 储存 儲存 저장 حفظ""",
    "add": """hinzufüg ajout añad agreg aggiung adicion toevoeg lägg tilføj legg lisää dodaj
        přid pridať hozzáad adaug добав дода προσθ ekle thêm tambah 添加 新增 追加 추가 إضافة
        أضف""",
    "create": """erstell anleg erzeug créer crée crear crea. creare criar aanmak maak maken.
        skapa opret opprett luo utwórz stwórz vytvoř létrehoz созда створ създа δημιουργ
        oluştur tạo buat 创建 建立 作成 만들기 생성 إنشاء""",
    "insert": """einfüg insér inserir insertar inserta. inserisci invoeg infoga indsæt wstaw
        vlož beszúr inser вставит вставк εισαγάγ chèn sisip 插入 挿入 삽입 إدراج""",
    "delete": """lösch supprim effac eliminar eliminer elimina. borrar cancella. apagar
        excluir verwijder radera slet slett poista usuń smaz smazat. odebrat. odebr smaž
        odstran vymaz törl șterge tabort rimuov remover remove. quitar enlev retirer fjern
        entfern kaldır удал видал изтри διαγραφ sil xóa hapus 删除 刪除 削除 삭제 حذف""",
    "edit": """bearbeit modifier. modificar. modifica. modifizier éditer editar edita. bewerk
        redigera rediger muokkaa edytuj uprav szerkeszt редактир редагув επεξεργ düzenle sửa
        sunting 编辑 編輯 編集 편집 수정 تعديل تحرير""",
    "change": """änder changer. cambia. cambiar alterar wijzig ändra ændr endre muuta zmień
        změn zmeni módosít schimb измен змінити промен αλλαγ değiştir đổi ubah 更改 变更 変更
        변경 تغيير""",
    "update": """aktualisier actualis actualiz aggiorn atualiz bijwerk uppdater opdater
        oppdater päivitä aktualiz frissít обнов онов ενημέρ güncelle cập perbarui 更新
        업데이트 تحديث""",
    "send": """senden absenden abschick send envoy enviar envía invia. verzend verstuur stuur
        skicka lähetä wyślij odesl odosla küld trimite отправ надіс изпрат αποστολ gönder gửi
        kirim 发送 發送 提交 送信 보내기 전송 إرسال""",
    "apply": """anwend übernehm appliqu aplicar applica. toepass tillämpa anvend käytä
        zastosuj použít alkalmaz aplică примен застос εφαρμογ uygula áp terapkan 应用 套用
        適用 적용 تطبيق""",
    "upload": """hochlad téléverser subir carica. carregar uploaden ladda prześlij nahrát
        feltölt încarc загруз завантаж качи μεταφόρτ yükle unggah 上传 上傳 アップロード
        업로드 رفع""",
    "download": """herunterlad télécharg descarg scarica. baixar downloaden hämta lataa
        pobierz stáhn letölt descarc скач изтегл λήψη indir unduh 下载 下載 ダウンロード
        다운로드 تنزيل""",
    "filter": """filtern filtrer filtrar filtra. filteren filtrera filtruj filtr szűr фильтр
        фільтр φίλτρ filtrele 筛选 篩選 絞り込 필터""",
    "show": """anzeig zeig zeigen. affich mostrar mostra. tonen vis näytä pokaż zobraz mutat
        afiș показ покаж εμφάν göster hiển tampilkan 显示 顯示 表示 보기 عرض""",
    "new": """neu. neue. neuer. neues. nouveau. nouvel. nouvelle. nuevo. nueva. nuovo. nuova.
        novo. nova. nieuw. nieuwe. ny. nytt. uusi. nowy. nowa. nový. nová. új. nou. новый.
        новая. новое. νέο. yeni. mới. baru. 新建 新規 새로 새""",
    "confirm": """bestätig confirmer. confirmar. conferma. bevestig bekräfta bekræft vahvista
        potwierdź potvr megerősít подтверд підтверд потвърд επιβεβ onayla 确认 確認 확인 تأكيد""",
    "print": """drucken ausdrucken imprim stampa. afdruk skriv tulosta drukuj tisk nyomtat
        печать друк εκτύπ yazdır 打印 列印 印刷 인쇄 طباعة""",
    "export": """exportier exporter. exportar esporta exporteer exportera eksport exportovat
        экспорт експорт εξαγωγ 导出 匯出 エクスポート 내보내기""",
    "import": """importier importer. importar importa. importeer importera импорт імпорт
        εισαγωγ 导入 匯入 インポート 가져오기""",
    "publish": """veröffentlich publier publicar pubblica. publiceren publicera udgiv publiser
        julkaise publikuj opublikuj publikov zveřejn közzét publică опублик публик δημοσίευ
        yayınla xuất terbit 发布 發佈 公開 게시 نشر""",
    "reply": """antwort répondre responder. rispondi antwoord beantwoord svara svar vastaa
        odpowiedz odpov válasz răspunde ответ відпов απάντ yanıtla 回复 回覆 返信 답글 رد""",
    "forward": """weiterleit transférer reenviar inoltra encaminhar doorstur vidarebefordra
        videresend przekaż přepos továbbít пересл препрат προώθ teruskan 转发 轉寄 転送 전달""",
    "report": """signaler denunciar segnala rapporter rapportera zgłoś nahlás пожалов 举报
        檢舉 通報 신고""",
    "like": """gefällt. aime. gilla polub tykkää beğen лайк 赞 いいね""",
    "quote": """zitier citer. citar citera citeer siter. lainaa cytuj citova idéz цитир
        alıntıla 引用 인용""",
    "write": """schreib verfassen. écrire rédiger escribir redactar scriver scrivi. escrever
        schrijf kirjoita napisz napsat написа напиш γράψ yaz. viết tulis. 撰写 写信 쓰기""",
    "copy": """kopier copier. copiar copia. kopieer kopiera kopioi kopiuj zkopír másol copiază
        копир копіюв копира αντιγραφ kopyala salin. 复制 複製 コピー 복사 نسخ""",
    "duplicate": """duplizier dupliquer duplicar duplica. dupliceer duplicera duplikuj
        duplikov дублир дублюв""",
    "preview": """vorschau aperçu prévisualis previa. previsual anteprima prévia. voorbeeld.
        förhandsgransk forhåndsvis esikatsel podgląd náhled náhľad előnézet previzual
        предпросмотр προεπισκόπ önizle pratinjau 预览 預覽 プレビュー 미리보기 معاينة""",
    "close": """schließ fermer. cerrar. chiudi. fechar. sluiten. sluit. stäng lukk. luk.
        sulje. zamknij uzavř bezár închide закрыть закрити затвори κλείσ kapat đóng tutup.
        关闭 關閉 閉じる 닫기 إغلاق""",
    "cancel": """abbrech stornier absagen. annuler. cancelar. anular. annulla. annuleer annuleren.
        avbryt annuller. peruuta anuluj zruš mégse. anulează отмен скасув отказ. ακύρωσ iptal
        hủy. batal. 取消 キャンセル 취소 إلغاء""",
    "search": """suchen. durchsuch rechercher. chercher. buscar. cerca. pesquisar. procurar.
        zoek. zoeken. sök. søg. søk. hae. etsi. szukaj wyszukaj hledat hledej vyhled keres.
        căuta caută искать найти поиск. пошук. знайти търси. αναζήτ ara. tìm. cari. 搜索 搜尋
        検索 검색 بحث""",
    "open": """öffne ouvrir. abrir. apri. aprire. openen. öppna åbn. åpne avaa. otwórz otevř
        otvor megnyit deschide открыть відкрити отвори άνοιγμα mở. buka. 打开 打開 開く 열기
        فتح""",
    "mark": """markier marquer. marcar. segna. markeer markera merkitse oznacz označ megjelöl
        marchează отметит пометит познач отбележ işaretle tandai 标记 標記 표시""",
    "approve": """genehmig freigeb approuv aprobar aprovar approva goedkeur godkänn godkend
        godkjenn hyväksy zatwierdź schvál jóváhagy aprobă одобр схвал затверд έγκρι setujui
        批准 审批 承認 승인 موافقة""",
    "reject": """ablehn abweis rejeter. refuser. rechazar. rifiuta. rejeitar afwijz weiger
        avvisa avslå afvis avvis hylkää odrzuć odmít zamít elutasít respinge отклон відхил
        απόρριψ reddet tolak. 拒绝 拒絕 却下 거부 رفض""",
    "assign": """zuweis assigner. attribuer. asignar assegna. atribuir toewijz tilldela tildel
        przypisz přiřad hozzárendel atribuie назнач признач ανάθεσ tetapkan 分配 指派 割り当て
        할당 تعيين""",
    "archive": """archivier archiver. archivar archivia. arquivar archiveer arkivera arkiver
        arkistoi archiwizuj zarchiwiz archivál arhiv архивир архівув αρχειοθ arşivle 归档 封存
        アーカイブ 보관 أرشفة""",
    "move": """verschieb déplacer. mover. sposta. spostare verplaats flytta flyt. flytt.
        siirrä przenieś přesun áthelyez mută перемест перенес μετακίν taşı pindah 移动 移動
        이동 نقل""",
    "rename": """umbenenn renommer. renombrar rinomina renomear hernoem omdøb przemianuj
        přejmen átnevez redenum переимен перейменув преименув μετονομ 重命名 이름변경""",
    "share": """teilen. partager. compartir condividi. compartilhar partilhar delen. dela.
        jaa. udostępnij sdílet megoszt partaj подел поділит сподел κοινοπ paylaş bagikan 分享
        共享 共有 공유 مشاركة""",
    "run": """ausführ exécut ejecutar esegui. executar uitvoer kör. udfør utfør suorita
        wykonaj spustit futtat execută выполнит запуст виконат изпълн εκτέλ çalıştır jalankan
        执行 執行 実行 실행 تنفيذ""",
    "view": """ansehen. anschauen. bekijk megtekint zobacz. katso. просмотр. перегля.
        görüntüle lihat. 查看 閲覧""",
    "log_out": """abmelden. ausloggen. déconnexion. déconnecter. disconnetti. desconectar.
        uitloggen. afmelden. wyloguj odhlás kijelentkez deconect выйти. вийти. изход. αποσύνδ
        çıkış. keluar. 登出 注销 ログアウト 로그아웃""",
    "log_in": """einloggen. inloggen. zaloguj přihlás bejelentkez войти. увійти. σύνδεση 登录
        登入 ログイン 로그인""",
    "vote": """abstimm voter. votar. rösta äänestä głosuj zagłosuj hlasuj szavaz проголосуй
        ψήφισ oyla 投票 투표""",
    "join": """beitret teilnehm rejoindre. participer. unirse. participar. partecipa.
        deelnemen. dołącz csatlakoz вступит присоедин приєднат katıl. bergabung 参加 참가""",
    "invite": """einladen inviter. invitar. invita. convidar. uitnodig kutsu. zaproś pozvat
        meghív приглас запросит покани davet undang 邀请 邀請 招待 초대 دعوة""",
    "restore": """wiederherstell restaurer. restaurar ripristina herstel återställ gendan
        gjenopprett palauta. przywróć visszaállít restaurea восстан віднов възстанов επαναφορ
        恢复 恢復 還原 復元 복원 استعادة""",
    "reset": """zurücksetz réinitialis restablec reimposta redefinir nulstil tilbakestill
        zresetuj resetov сброс 重置 リセット 초기화""",
    "block": """sperren. blockier bloquer. bloquear blocca. blokkeer blockera zablok blokuj
        заблок 屏蔽 차단""",
    "activate": """habilitar. abilita. aktivier activer. activar attiva. ativar.
        activeer aktivera aktivér aktivuj aktywuj активир активув ενεργοπ etkinleştir
        启用 啟用 有効 활성화""",
    "deactivate": """inhabilitar. deshabilitar. desabilitar. disabilita. deaktivier
        désactiver. desactivar disattiva. desativar deactiveer inaktivera dezaktywuj
        deaktivuj деактив απενεργ 停用 禁用 無効 비활성화""",
    "translate": """übersetz traduire. traducir traduci. traduzir vertaal översätt oversæt
        oversett käännä przetłumacz přelož перевест перекласт 翻译 翻譯 翻訳 번역""",
    "calculate": """berechn calculer. calcular. calcola. bereken beräkna beregn oblicz
        spočít kiszámít calculează рассчит розрах изчисл υπολόγ hesapla 计算 計算 계산""",
    "check": """prüfen. prüfe. überprüf vérifier. verificar verifica. controleer kontroller
        kontrollera tarkista sprawdź zkontrol ověř ellenőr verifică проверит перевірит
        провери. έλεγχ periksa 检查 檢查""",
    "book": """reservier buchen. vereinbar réserver. reservar. prenota. reserveer reserveren. boka.
        zarezerwuj rezerwuj rezerv foglal заброн забронюв κράτησ 予約 预订 預訂 예약""",
    "buy": """kaufen. acheter. comprar. acquista. kopen. köp. køb. kjøp. osta. kup. koupit
        kúpiť cumpără купить купити αγορά satınal 购买 購買 購入 구매""",
    "pay": """bezahl payer. pagar. paga. betaal betalen. betala. maksa. zapłać zaplatit fizet
        оплатит сплатит öde. 支付 付款 결제""",
    "rate": """bewert évaluer. valorar. valuta. avaliar beoordeel betygsätt arvioi. oceń
        hodnotit értékel оценит оцінит değerlendir 评价 評價 평가""",
    "install": """installier installer. instalar installa. installeer zainstaluj установит
        встановит 安装 安裝 インストール 설치""",
    "finish": """abschließ beenden. terminer. finalizar termina. afronden slutför fuldfør
        zakończ dokonč befejez finalizează заверш завърш ολοκλήρ tamamla selesai 完成 完了
        완료""",
    "request": """anforder beantrag demander. solicitar. richied. aanvrag begär anmod pyydä.
        poproś požád igényel solicită 申请 申請 신청""",
    "resolve": """lösen. résoudre. resolver. risolvi. oplossen. rozwiąż vyřeš megold rezolv
        решит вирішит 解决 解決 해결""",
    "reopen": """wiedereröffn rouvrir. reabrir riapri heropen. 重新打开 再開""",
    "favorite": """お気に入り 收藏 즐겨찾기""",
    "post": """投稿 发帖 發文""",
    "refresh": """새로고침 刷新 重新加载 重新整理 再読み込み""",
    "attach": """anhängen. joindre. adjuntar allega. allegare. anexar. bijvoegen. bifoga
        vedhæft liitä. załącz přilož csatol atașa прикреп прикріп επισύναψ lampirkan 添付 첨부
        إرفاق""",
    "bid": """bieten. enchérir. ofertar. licytuj 入札 입찰 竞价""",
    "select": """auswähl wähl choisir sélection seleccion selezion selecion kies välj vælg
        velg valitse wybierz vybrat kiválaszt выбра вибра επιλογ seç 选择 選擇 選択 선택""",
}  # fmt: skip
# Verbs that are written in two words.
_PARTED = re.compile(r"\bta bort\b")
_SHORTEST_STEM = 5
# What is said in several words, none of which says it alone.
_PHRASES = (
    (
        re.compile(
            r"(?:cerrar|cierra) sesi[oó]n|se d[ée]connecter|logga ut|log(?:g)? u[dt]\b"
            r"|kirjaudu ulos|(?:terminar|encerrar) sess[ãa]o|oturumu kapat|çıkış yap"
            r"|đăng xuất|wyloguj się|odhlásit se|disconnettersi|tancar sessió",
            re.IGNORECASE,
        ),
        "log_out",
    ),
    (
        re.compile(
            r"iniciar sesi[oó]n|se connecter|logga in|logg inn|log ind|kirjaudu sisään"
            r"|iniciar sess[ãa]o|oturum aç|giriş yap|đăng nhập|zaloguj się|přihlásit se",
            re.IGNORECASE,
        ),
        "log_in",
    ),
)
_LABELLED = re.compile(r"\w\s*[:：]\s*\w")
# What ends like this is what was made of a verb: bookings, publications.
_NOUN = re.compile(
    r".(?:[ai]d[oa]s|iert|tigt|ellt|ées?|wählten?|markierten?|нны[ех]|ung(?:en)?|ations?|ción|ciones|ção|ções"
    r"|zion[ei]|ningar|ninger|ingen|ении|ений|ения|ци[ия])$"
)
# In "save changes" and "create new page" these are no verbs.
_WEAK = frozenset({"new", "change"})


def _entries() -> list[tuple[str, str]]:
    pairs = [(stem, verb) for verb, stems in _STEMS.items() for stem in stems.split()]
    return sorted(pairs, key=lambda pair: -len(pair[0]))


_ENTRIES = _entries()
_SIGNS = [(stem, verb) for stem, verb in _ENTRIES if ord(stem[0]) > 0x2E00]
_WORDS = [(stem, verb) for stem, verb in _ENTRIES if ord(stem[0]) <= 0x2E00]


@lru_cache(maxsize=4096)
def foreign_action(text: str) -> tuple[str, str]:
    """Return the English verb that a text says in another language, and the rest of the text."""
    text = text.replace("İ", "I")
    for phrase, verb in _PHRASES:
        if phrase.match(text):
            return verb, ""
    if _LABELLED.search(text):
        return "", text  # what stands behind the colon is a state, and no verb
    lowered = _PARTED.sub(lambda found: found[0].replace(" ", ""), text.lower())
    for stem, verb in _SIGNS:
        if stem in lowered:
            return verb, lowered.replace(stem, " ").strip()
    found = re.findall(r"[^\W\d_]+", lowered)
    said = {place: verb for place in _places(found) if (verb := _verb_of(found[place]))}
    if not said:
        return "", text
    place = min(said, key=lambda each: (said[each] in _WEAK, each))
    return said[place], " ".join(found[:place] + found[place + 1 :])


def _places(found: list[str]) -> list[int]:
    """A verb stands first or last on a button."""
    return [] if not found or len(found) > 5 else sorted({0, len(found) - 1})


def _verb_of(word: str) -> str:
    is_noun = _NOUN.search(word) is not None
    for stem, verb in _WORDS:
        whole = stem.rstrip(".")
        least = _SHORTEST_STEM - (not stem.isascii())
        begins = len(stem) >= least and word.startswith(stem) and not is_noun
        if word == whole or begins:
            return verb
    return ""

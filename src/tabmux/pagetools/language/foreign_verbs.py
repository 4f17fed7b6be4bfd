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
        フォロー 팔로우""",
    "save": """speicher sauvegard enregistr guardar guarda. grabar salva. salvar gravar opslaan
        bewaar spara. gem lagre tallenna zapisz zapisa uloži ulož mentés salve salvează сохран
        зберег запази αποθήκευ kaydet lưu simpan 保存 存檔 储存 儲存 저장 حفظ""",
    "add": """hinzufüg ajout añad agreg aggiung adicion toevoeg lägg tilføj legg lisää dodaj
        přid pridať hozzáad adaug добав дода προσθ ekle thêm tambah 添加 新增 追加 추가 إضافة
        أضف""",
    "create": """erstell anleg erzeug créer crée crear crea. creare criar aanmak maak skapa
        opret opprett luo utwórz stwórz vytvoř létrehoz созда створ създа δημιουργ oluştur tạo
        buat 创建 建立 作成 만들기 생성 إنشاء""",
    "insert": """einfüg insér inserir insertar inserta. inserisci invoeg infoga indsæt wstaw vlož
        beszúr inser вставит вставк εισαγάγ chèn sisip 插入 挿入 삽입 إدراج""",
    "delete": """lösch supprim effac eliminar eliminer elimina. borrar cancella. apagar
        excluir verwijder radera slet slett poista usuń smaz odstran vymaz törl șterge
        tabort rimuov remover remove. quitar enlev retirer fjern entfern kaldır удал видал
        изтри διαγραφ sil xóa hapus 删除 刪除 削除 삭제 حذف""",
    "edit": """bearbeit modifier. modificar. modifica. modifizier éditer editar edita. bewerk
        redigera rediger muokkaa edytuj uprav szerkeszt редактир редагув επεξεργ düzenle sửa
        sunting 编辑 編輯 編集 편집 수정 تعديل تحرير""",
    "change": """änder changer. cambia. cambiar alterar wijzig ändra ændr endre muuta zmień
        změn zmeni módosít schimb измен змінити промен αλλαγ değiştir đổi ubah 更改 变更 変更
        변경 تغيير""",
    "update": """aktualisier actualis actualiz aggiorn atualiz bijwerk uppdater opdater
        oppdater päivitä aktualiz frissít обнов онов ενημέρ güncelle cập perbarui 更新 업데이트
        تحديث""",
    "send": """senden absenden abschick send envoy enviar envía invia. verzend verstuur stuur
        skicka lähetä wyślij odesl odosla küld trimite отправ надіс изпрат αποστολ gönder gửi
        kirim 发送 發送 提交 送信 보내기 전송 إرسال""",
    "apply": """anwend übernehm appliqu aplicar applica. toepass tillämpa anvend käytä zastosuj
        použít alkalmaz aplică примен застос εφαρμογ uygula áp terapkan 应用 套用 適用 적용
        تطبيق""",
    "upload": """hochlad téléverser subir carica. carregar uploaden ladda prześlij nahrát
        feltölt încarc загруз завантаж качи μεταφόρτ yükle unggah 上传 上傳 アップロード 업로드
        رفع""",
    "download": """herunterlad télécharg descarg scarica. baixar downloaden hämta lataa pobierz
        stáhn letölt descarc скач изтегл λήψη indir unduh 下载 下載 ダウンロード 다운로드 تنزيل""",
    "filter": """filtern filtrer filtrar filtra. filteren filtrera filtruj filtr szűr фильтр
        фільтр φίλτρ filtrele 筛选 篩選 絞り込 필터""",
    "show": """anzeig zeig affich mostrar mostra. tonen vis näytä pokaż zobraz mutat afiș
        показ покаж εμφάν göster hiển tampilkan 显示 顯示 表示 보기 عرض""",
    "new": """neu. neue. neuer. neues. nouveau. nouvel. nouvelle. nuevo. nueva. nuovo. nuova.
        novo. nova. nieuw. nieuwe. ny. nytt. uusi. nowy. nowa. nový. nová. új. nou. новый.
        новая. новое. νέο. yeni. mới. baru. 新建 新規 새로""",
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
    "report": """signaler denunciar segnala rapporter rapportera zgłoś nahlás пожалов
        举报 檢舉 通報 신고""",
    "like": """gilla polub tykkää beğen лайк 赞 いいね""",
    "quote": """zitier citer. citar citera citeer siter. lainaa cytuj citova idéz цитир alıntıla
        引用 인용""",
    "select": """auswähl wähl choisir sélection seleccion selezion selecion kies välj vælg velg
        valitse wybierz vybrat kiválaszt выбра вибра επιλογ seç 选择 選擇 選択 선택""",
}  # fmt: skip
# Verbs that are written in two words.
_PARTED = re.compile(r"\bta bort\b")
_SHORTEST_STEM = 5
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
    for stem, verb in _WORDS:
        whole = stem.rstrip(".")
        least = _SHORTEST_STEM - (not stem.isascii())
        if word == whole or (len(stem) >= least and word.startswith(stem)):
            return verb
    return ""

// Linear memory: pages of 1 KiB, one table per wave. A frame holds the page of all lanes of its wave, words
// interleaved, so that lanes in lockstep access neighbouring words. Without a frame a page is the program's image, or
// zero.

uint lane; // in its wave
uint wave_table; // where the wave's page table begins

uint image_page(uint record, uint page) {
    if (page >= data[record + GPUVM_PROGRAM_IMAGE_PAGES]) return 0;
    return data[data[record + GPUVM_PROGRAM_IMAGE] + page];
}

uint frame_word(uint frame, uint word) {
    return (frame * 256 + word) * WAVE + lane;
}

// Makes a page of the wave resident: all lanes of the subgroup call this together with the same page. False: the pool
// is empty.
bool map_page(uint wave, uint page, uint record) {
    uint given = 0;
    if (lane == 0) given = atomicAdd(books[GPUVM_BOOK_FRAMES], 1);
    given = subgroupBroadcast(given, 0);
    if (given >= push.pool_frames) return false;
    const uint from = image_page(record, page);
    for (uint word = 0; word < 256; word += 4) {
        uint w0 = 0, w1 = 0, w2 = 0, w3 = 0;
        if (from != 0) w0 = data[from + word], w1 = data[from + word + 1], w2 = data[from + word + 2],
                       w3 = data[from + word + 3];
        pool[frame_word(given, word)] = w0;
        pool[frame_word(given, word + 1)] = w1;
        pool[frame_word(given, word + 2)] = w2;
        pool[frame_word(given, word + 3)] = w3;
    }
    // Each lane writes the same, so that each reads its own.
    page_table[wave_table + page] = given + 1;
    if (lane == 0) {
        books[GPUVM_BOOK_WORDS + 2 * given] = wave;
        books[GPUVM_BOOK_WORDS + 2 * given + 1] = page;
    }
    return true;
}

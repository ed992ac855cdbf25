// Copies pages of single lanes out of their waves' frames and into them, one workgroup per job. Jobs are in the buffer
// that holds the interpreter's code: lane of the batch (GPUVM_PAGES_MAP: wave), page, position of the page's 256 words
// in the exchange area. Checksums of what goes to the host are computed here, so that the host can detect damage
// (gpuvm/checksums.h).
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_GOOGLE_include_directive : require
#include "gpuvm_layout.glsl"
#include "gpuvm_pages.glsl"

uint mixed(uint word, uint place) {
    word = (word ^ place * 0x9e3779b9u) * 0x85ebca6bu;
    return word ^ (word >> 15);
}

// One block of the buffer that is bound as the exchange area; the checksums are in the interpreter's bookkeeping
// buffer.
void sum_block() {
    const uint end = min(push.jobs, (gl_WorkGroupID.x + 1) * GPUVM_SUM_WORDS);
    uint sum = 0;
    for (uint i = gl_WorkGroupID.x * GPUVM_SUM_WORDS + gl_LocalInvocationID.x; i < end; i += WAVE)
        sum += mixed(exchange[i], i);
    sum = subgroupAdd(sum);
    if (gl_LocalInvocationID.x == 0) books[push.value_table + gl_WorkGroupID.x] = sum;
}

void main() {
    if (push.task == GPUVM_PAGES_SUM) {
        sum_block();
        return;
    }
    const uvec4 job = code[gl_WorkGroupID.x];
    if (push.task == GPUVM_PAGES_MAP) {
        lane = gl_LocalInvocationID.x;
        wave_table = job.x * push.table_pages;
        if (page_table[wave_table + job.y] == 0)
            map_page(job.x, job.y, state[GPUVM_PROGRAM * push.lanes + job.x * WAVE + lane]);
        return;
    }
    lane = job.x % WAVE;
    wave_table = (job.x / WAVE) * push.table_pages;
    const uint frame = page_table[wave_table + job.y];
    const uint image = image_page(state[GPUVM_PROGRAM * push.lanes + job.x], job.y);
    uint sum = 0;
    for (uint word = gl_LocalInvocationID.x; word < 256; word += WAVE) {
        if (push.task == GPUVM_PAGES_SCATTER) {
            pool[frame_word(frame - 1, word)] = exchange[job.z + word];
            continue;
        }
        uint value = 0;
        if (frame != 0) value = pool[frame_word(frame - 1, word)];
        else if (image != 0) value = data[image + word];
        exchange[job.z + word] = value;
        sum += mixed(value, word);
    }
    if (push.task == GPUVM_PAGES_SCATTER) return;
    sum = subgroupAdd(sum);
    if (gl_LocalInvocationID.x == 0) exchange[push.jobs * 256 + gl_WorkGroupID.x] = sum;
}
